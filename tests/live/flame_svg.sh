#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The SVG of a flame view in a browser: zoom, search, text, hostile names.  A
# second script, appended to the SVG's own, acts as a user would and writes the
# state of the page into the document, which the browser prints.

. "$(dirname "$0")/../lib.sh"

writer=${builddir:-$top/build}/tests/live/write_flame
for browser in chromium chromium-browser google-chrome ''; do
	[ -n "$browser" ] && command -v "$browser" >/dev/null && break
done
[ -n "$browser" ] || skip_all 'no Chromium'
[ -x "$writer" ] || skip_all 'write_flame is not built (no cmocka)'

"$writer" "$tmp/flame.svg" || exit 99

# Print lines "NAME VALUE" for each say(NAME, VALUE) of the script $1.
in_browser() {
	{
		sed '$d' "$tmp/flame.svg"
		cat <<-END
		<metadata id="said"></metadata>
		<script><![CDATA[
		function say(name, value) {
			document.getElementById('said').textContent +=
				name + ' ' + value + '\n';
		}
		function boxes() {
			return Array.from(
				document.querySelectorAll('#boxes > g'));
		}
		function box(name) {
			return boxes().find(g => g.querySelector('title')
				.textContent.startsWith(name + '\n'));
		}
		function shown() {
			return boxes().filter(g => g.style.display !== 'none')
				.map(g => g.querySelector('title').textContent
					.split('\n')[0]).join(' ');
		}
		function width(name) {
			return Math.round(Number(box(name)
				.querySelector('rect').getAttribute('width')));
		}
		function send(target, type) {
			target.dispatchEvent(new MouseEvent(type,
				{ bubbles: true }));
		}
		function type(keys) {
			for (const key of keys)
				window.dispatchEvent(new KeyboardEvent(
					'keydown', { key: key }));
		}
		function text(id) {
			return document.getElementById(id).textContent;
		}
		window.alert = () => say('alert', 'called');
		window.onerror = message => say('error', message);
		$1
		say('end', 'reached');
		]]></script>
		</svg>
		END
	} >"$tmp/page.svg"
	timeout 200 "$browser" --headless --no-sandbox --disable-gpu \
		--window-size=1220,700 --user-data-dir="$tmp/profile" \
		--dump-dom "file://$tmp/page.svg" 2>"$tmp/browser" |
		sed -n '/<metadata id="said">/,/<\/metadata>/p' |
		sed 's/.*<metadata id="said">//; s/<\/metadata>.*//' \
			>"$tmp/said"
}

# Check that the browser printed the value $2 for $1.
said() {
	local value

	value=$(sed -n "s/^$1 //p" "$tmp/said")
	[ "$value" = "$2" ] && return
	echo "$1: '$value', not '$2'"
	cat "$tmp/said"
	tail -n 5 "$tmp/browser"
	return 1
}

clean() {
	said end reached && said error ''
}

in_browser "
	say('boxes', boxes().length);
	say('all', width('all'));
	say('vfs_read', width('vfs_read'));
	say('label', box('vfs_read').querySelector('text').textContent);
	say('reset', text('reset') === '');
	send(box('read').querySelector('rect'), 'click');
	say('zoomed', shown());
	say('zoomed_width', width('read') === width('all') &&
		width('vfs_read') === width('all'));
	say('outer', box('main').classList.contains('outer'));
	send(document.getElementById('reset'), 'click');
	say('back', boxes().length === boxes().filter(g =>
		g.style.display !== 'none').length && width('all'));
	send(box('evil').querySelector('rect'), 'click');
	type(['Escape']);
	say('escaped', width('vfs_read'));
"
check 'zoom: seen through without an error' clean
check 'a box per frame' said boxes 10
check 'the root is as wide as the window' said all 1200
check 'a box is as wide as its share' said vfs_read 480
check 'names stand in the boxes' said label vfs_read
check 'nothing to reset at first' said reset true
check 'a click shows callers and callees alone' \
	said zoomed 'all dd main read vfs_read'
check 'they take the whole width' said zoomed_width true
check 'callers are set apart' said outer true
check 'a click on Reset zoom shows all again' said back 1200
check 'so does Escape' said escaped 480

in_browser "
	type(['/', 'R', 'e', 'a', 'D']);
	say('found', boxes().filter(g => g.classList.contains('found'))
		.map(g => g.querySelector('title').textContent.split('\n')[0])
		.join(' '));
	say('matched', text('matched'));
	say('search', text('search'));
	type(['Backspace', 'Escape']);
	say('cleared', document.querySelectorAll('.found').length +
		text('matched') + text('search'));
	window.prompt = () => 'write';
	send(document.getElementById('search'), 'click');
	say('asked', text('matched'));
	window.prompt = () => null;
	send(document.getElementById('search'), 'click');
	type(['.', '*']);
	say('literal', text('matched'));
"
check 'search: seen through without an error' clean
check 'a search finds parts of names, whatever the case' \
	said found 'read vfs_read'
check 'what lies within a match counts once' said matched 'matched: 40.0 %'
check 'the word is shown' said search '[Search: ReaD]'
check 'Escape clears it' said cleared '0[Search]'
check 'a click on Search asks' said asked 'matched: 30.0 %'
check 'a word is no pattern' said literal 'matched: 0.0 %'

in_browser "
	send(box('vfs_read').querySelector('rect'), 'mouseover');
	say('hover', text('details'));
	send(document.getElementById('heading'), 'mouseover');
	say('left', text('details') === '');
	say('title', document.title === 'dd & <evil>');
	const names = boxes().map(g => g.querySelector('title').textContent
		.split('\n')[0]);
	say('markup', names.includes(
		'</title><script>alert(1)</' + 'script>&amp;\"\\''));
	say('cdata', names.includes(
		']]' + '><b onclick=\\'x()\\'>operator<< <int></b>'));
	send(box('evil').querySelector('rect'), 'click');
	say('label', boxes()[7].querySelector('text').textContent
		.startsWith('</title>'));
	send(boxes()[7].querySelector('rect'), 'mouseover');
	say('foreign', Array.from(document.querySelectorAll('*'), e =>
		e.localName).filter(n => !['svg', 'title', 'style', 'rect',
		'text', 'tspan', 'g', 'script', 'metadata'].includes(n)).length);
	say('scripts', document.querySelectorAll('script').length);
	say('fetched', performance.getEntriesByType('resource').length);
"
check 'text: seen through without an error' clean
check 'hovering shows name, file, samples, share' \
	said hover 'vfs_read, [kernel.kallsyms], 40 samples, 40.00 %'
check 'leaving takes it away' said left true
check 'the title is the document'"'"'s' said title true
check 'markup in a name is text' said markup true
check 'the end of CDATA in a name is text' said cdata true
check 'so it is in a label' said label true
check 'no element comes of a name' said foreign 0
check 'no script but its own and the test'"'"'s' said scripts 2
check 'nothing ran that a name asked for' said alert ''
check 'nothing is fetched' said fetched 0

finish
