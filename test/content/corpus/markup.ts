import { marked, samples } from './sample.ts'

const html = samples('html', [
  marked('<p>Hello <strong>world</strong></p>', 'Hello world'),
  marked('<p>One</p><p>Two &lt;T&gt;</p>', 'One Two <T>'),
  marked('Press <kbd>Ctrl</kbd>+<kbd>C</kbd>', 'Press Ctrl+C'),
  marked('H<sub>2</sub>O and x<sup>2</sup>', 'H2O and x2'),
  marked('line<br>break<br/>two', 'line break two'),
  marked('<ul><li>a</li><li>b <em>c</em></li></ul>', 'a b c'),
  marked('<ol start="3"><li>x</li></ol>', 'x'),
  marked('<h1>Title</h1><h2>Sub</h2>', 'Title Sub'),
  marked('<blockquote>said <cite>Ada</cite></blockquote>', 'said Ada'),
  marked('<pre><code class="language-ts">List&lt;T&gt;\n\nx</code></pre>', 'List<T> x'),
  marked('<details><summary>More</summary><p>inside</p></details>', 'More inside'),
  marked('<table><tr><th>a</th></tr><tr><td>1 &lt; 2</td></tr></table>', 'a 1 < 2'),
  marked('<table><caption>c</caption><tr><td colspan="2">x</td></tr></table>', 'c x'),
  marked('<dl><dt>term</dt><dd>meaning</dd></dl>', 'term meaning'),
  marked('<figure><img src="/a.png" alt="pic"><figcaption>cap</figcaption></figure>', 'pic cap'),
  marked('<a href="https://example.com/?a=1&amp;b=2">link</a> after', 'link after'),
  marked('<center>middle</center>', 'middle'),
  marked('<font color="red">red</font> <big>big</big>', 'red big'),
  marked('<section><h2>a</h2><article>b</article></section><nav>c</nav>', 'a b c'),
  marked('<header>a</header><main>b</main><footer>c</footer>', 'a b c'),
  marked('<div>a<div>b</div>c</div>', 'a b c'),
  marked('<p dir="rtl">שלום <b>עולם</b></p>', 'שלום עולם'),
  marked('<ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby>', '漢(kan)'),
  marked('<p>a <abbr title="x">b</abbr> <q>c</q> <time datetime="2026">d</time></p>', 'a b c d'),
  marked('<p>a <mark>b</mark> <ins>c</ins> <del>d</del> <s>e</s> <u>f</u></p>', 'a b c d e f'),
  marked('<b>a</b><b>b</b><i>c</i>d', 'abcd'),
  marked('<p><strong>a.</strong>b <em> c </em>d</p>', 'a.b c d'),
  marked(
    '<p>*not* _emphasis_ [no](link) # no `code`</p>',
    '*not* _emphasis_ [no](link) # no `code`',
  ),
  marked('<p>expected <identifier> at List<T></p>', 'expected <identifier> at List<T>'),
  marked('<p>if (a<b && c>d) {}</p>', 'if (a<b && c>d) {}'),
  marked('<p>a &nbsp; b &hellip; &rarr; &euro;</p>', 'a b … → €'),
  marked('<ul><li><input type="checkbox" checked disabled> done</li></ul>', 'done'),
  marked('<P ALIGN="center">old <FONT SIZE="2">html</FONT></P>', 'old html'),
  marked('<h3>a <code>b</code></h3>\n<p>c</p>\n\n<p>d</p>', 'a b c d'),
  marked('<div><my-widget>x</my-widget></div>', '<my-widget>x</my-widget>'),
])

const xml = samples('xml', [
  '<?xml version="1.0" encoding="UTF-8"?>\n<note><to>Tove</to><from>Jani</from></note>',
  '<dependency><groupId>a.b</groupId><artifactId>c</artifactId><version>1</version></dependency>',
  '<project xmlns="http://x.example/y"><modelVersion>4</modelVersion></project>',
  '<soap:Envelope xmlns:soap="http://x.example"><soap:Body/></soap:Envelope>',
  '<key>CFBundleName</key><string>App</string><true/>',
  '<xs:element name="a" type="xs:string" minOccurs="0"/>',
  '<LinearLayout android:id="@+id/x"><TextView android:text="y" /></LinearLayout>',
  '<Grid><TextBlock Text="{Binding Name}" /></Grid>',
  '<feed><entry><id>1</id><updated>2026</updated></entry></feed>',
  '<!ELEMENT note (to,from)>\n<!ENTITY x "y">',
  '<![CDATA[a < b && c > d]]>',
  '<tag attr="a > b" other=\'c < d\'>x</tag>',
])

const quotedMarkup = samples('quoted markup', [
  { text: 'Use `<br>` or `<p>` tags', html: 'Use `` or `` tags' },
  'The `<script>` goes before `</body>`',
  { text: '```html\n<p class="x">a</p>\n<T>\n```', html: '```html a <T> ```' },
  { text: '\\<b>not bold\\</b> and \\<T>', html: '\\not bold\\ and \\<T>' },
  {
    text: '**bold** and <kbd>K</kbd> and List<T>',
    shown: 'bold and K and List<T>',
    html: '**bold** and K and List<T>',
  },
  {
    text: '# Title\n\n<details>\n<summary>More</summary>\n\n- a <T>\n- b\n\n</details>',
    shown: 'Title More a <T> b',
    html: '# Title More - a <T> - b',
  },
  { text: '- a<br>b\n- c <sup>2</sup>', shown: 'a b c 2', html: '- a b - c 2' },
  {
    text: '<kbd>a</kbd>\n\nText with `code` and <T>',
    shown: 'a Text with code and <T>',
    html: 'a Text with `code` and <T>',
  },
  {
    text: '| a | b |\n|---|---|\n| x<br>y | <kbd>z</kbd> |',
    shown: 'a b x y z',
    html: '| a | b |\n|---|---|\n| x y | z |',
  },
  '1. `<T>`\n2. <T>',
  'A `<details>` block, a <thing>, and `a<b`',
])

export const markup = [...html, ...xml, ...quotedMarkup]
