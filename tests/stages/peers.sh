# Compares stages with those of OpenCV, scikit-image and Pillow. PYTHON names a python3 that has
# them.
. "$(dirname "$0")/../lib.sh"
PYTHON=${PYTHON:-python3}
export GPUFILTER

command -v "$PYTHON" >/dev/null 2>&1 || skip_all "no $PYTHON here"
missing=
for module in cv2 numpy PIL scipy skimage; do
    "$PYTHON" -c "import $module" >/dev/null 2>&1 || missing="$missing $module"
done
[ -z "$missing" ] || skip_all "$PYTHON lacks$missing: pip install opencv-python-headless scikit-image in a venv, and "\
"PYTHON=VENV/bin/python"
[ -f "$here/peers.py" ] || skip_all 'peers.py is not here'
"$PYTHON" "$here/peers.py"
