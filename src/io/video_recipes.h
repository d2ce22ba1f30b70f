/* Commands for messages that send video through FFmpeg. Y4M has no audio, so it comes from the video itself. */
#ifndef GF_IO_VIDEO_RECIPES_H
#define GF_IO_VIDEO_RECIPES_H

/* Reads the frames of a video. */
#define GF_RECIPE_DECODE(video) "ffmpeg -i " video " -f yuv4mpegpipe - | gpufilter ..."
/* Reads Y4M from a pipe and takes the audio of the video, if it has some; the name of the output follows. */
#define GF_RECIPE_ENCODE(video) "ffmpeg -i - -i " video " -map 0:v -map '1:a?' "
/* Reads images from a pipe, which have no audio. */
#define GF_RECIPE_ENCODE_IMAGES "ffmpeg -i - "

#endif
