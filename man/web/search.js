// Search over headings and options of all pages; index.js has the texts. Everything stays on the reader's machine.
'use strict';
(function () {
    const field = document.getElementById('search');
    const found = document.getElementById('found');
    const most = 30;

    function score(entry, words) {
        const title = entry.t.toLowerCase();
        const text = entry.x.toLowerCase();
        let sum = 0;

        for (const word of words) {
            if (title === word)
                sum += 100;
            else if (title.startsWith(word))
                sum += 40;
            else if (title.includes(word))
                sum += 20;
            else if (text.includes(word))
                sum += 1;
            else
                return 0;
        }
        return sum;
    }

    function show() {
        const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
        const list = document.createElement('ol');

        found.replaceChildren();
        if (words.length === 0)
            return;
        const hits = gpufilterIndex.map(entry => [score(entry, words), entry]).filter(hit => hit[0] > 0);
        hits.sort((a, b) => b[0] - a[0]);
        for (const [, entry] of hits.slice(0, most)) {
            const item = document.createElement('li');
            const link = document.createElement('a');
            const text = document.createElement('small');

            link.href = entry.u;
            link.textContent = entry.t;
            text.textContent = entry.p + ': ' + entry.x.slice(0, 160);
            item.append(link, text);
            list.append(item);
        }
        if (hits.length === 0)
            list.innerHTML = '<li>Nothing found.</li>';
        found.append(list);
    }

    field.hidden = false;
    field.addEventListener('input', show);
    found.addEventListener('click', function (event) {
        if (event.target.tagName === 'A') {
            field.value = '';
            setTimeout(show);
        }
    });
    document.addEventListener('keydown', function (event) {
        if (event.key === '/' && document.activeElement !== field) {
            event.preventDefault();
            field.focus();
        } else if (event.key === 'Escape') {
            field.value = '';
            show();
        }
    });
}());
