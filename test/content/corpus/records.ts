import { samples } from './sample.ts'

const logs = samples(
  'logs',
  [
    '[error]: timeout',
    '[error]: timeout\n[error]: refused\n[warn]: slow',
    '[info]: /var/log/x',
    '2026-11-22T10:00:00Z ERROR <main> failed: x<y (a&b) [pid=1]',
    '127.0.0.1 - - [22/Nov/2026:10:00:00 +0000] "GET /?a=1&lt=2&copy=3 HTTP/1.1" 200 12',
    'Nov 22 10:00:00 host sshd[123]: Invalid user <admin> from 10.0.0.1',
    'panic: runtime error: index out of range [3] with length 3\n\ngoroutine 1 [running]:\nmain.main()',
    'E/AndroidRuntime(123): java.lang.NullPointerException at a.b.C.<init>(C.java:10)',
    'W <init> not found; D <clinit> done',
    'level=info msg="<nil>" err=<nil>',
    '0x7ffe: <std::vector<int>::push_back+12>',
    '<6>[    1.234567] usb 1-1: new device',
    '<134>1 2026-11-22T10:00:00Z host app - - - hello',
    '<0001> <0002> <0003>',
    '[ERR_X]: a.b\n\nsee [ERR_X] above',
    '[a]: https://example.com/one\n\nread [a] first',
  ].map((text) => (text.includes('read [a]') ? { text, shown: 'read a first' } : text)),
)

const traces = samples('stack traces', [
  'Traceback (most recent call last):\n  File "a.py", line 1, in <module>\n    f()\n  File "b.py", line 2, in <lambda>\nValueError: <x>',
  'TypeError: x is not a function\n    at Object.<anonymous> (/a/b.js:1:2)\n    at new <anonymous> (c.js:3:4)\n    at <anonymous>',
  'Exception in thread "main" java.lang.Error\n\tat a.B.<init>(B.java:1)\n\tat a.B.<clinit>(B.java:2)\nCaused by: x<y',
  'error[E0308]: mismatched types\n --> src/main.rs:2:5\n  |\n2 |     x\n  |     ^ expected `Vec<u8>`, found `&[u8]`',
  "error: expected ';' before '<' token\n    3 | vector<int> v\n      |       ^",
  "TS2322: Type 'Foo<string>' is not assignable to type 'Foo<number>'.",
  "Property 'x' does not exist on type 'Promise<Response>'.",
  'undefined reference to `foo<int>(std::vector<int, std::allocator<int> > const&)',
  'syntax error near unexpected token `<',
  'Segmentation fault (core dumped) in <unknown>::<lambda()>',
])

const diffs = samples('diffs', [
  '--- a/x.ts\n+++ b/x.ts\n@@ -1,2 +1,2 @@\n-const a: List<T> = x\n+const a: List<U> = x',
  '<<<<<<< HEAD\nours <T>\n=======\ntheirs <U>\n>>>>>>> feature/x',
  '<<<<<<< ours\n||||||| base\n=======\n>>>>>>> theirs',
  '< old line <T>\n---\n> new line <U>',
  '1,2c1,2\n< a\n---\n> b',
  '@@ -0,0 +1 @@\n+<T>\n\\ No newline at end of file',
  'diff --git a/x b/x\nindex 123..456 100644\nBinary files differ',
  '- removed <x>\n+ added <y>',
  'rename from <a>\nrename to <b c>'.replace('<b c>', '<bc>'),
  'M  src/a.ts\n?? <untracked>',
])

const emails = samples('mail', [
  'From: Ada <ada@example.com>\nTo: "Cleo, C." <cleo@example.com>, <ben@example.com>\nSubject: Re: <no subject>',
  'Message-ID: <abc.123@mail.example.com>\nIn-Reply-To: <def@x.example>\nReferences: <a@b.example> <c@d.example>',
  'On Mon, Ada Lovelace <ada@example.com> wrote:\n> Hello\n>> Hi\n> Bye',
  'Ada <ada@example.com> and <bob@example.com>',
  'Received: from x (HELO <unknown>) by y with SMTP id z; 1 Jan 2026',
  'MAIL FROM:<a@example.com>\nRCPT TO:<b@example.com>\nDATA',
  'Content-Type: text/html; charset="utf-8"\nX-Foo: <<<a>>>',
  'Signed-off-by: Ada <ada@example.com>\nCo-authored-by: B <b+c@example.co.uk>',
  'mail me at ada@example.com or <mailto:ada@example.com>',
  '-- \nAda\nhttps://example.com/?a=1&copy=2&lt=3&notify=4',
])

const links = samples(
  'links',
  [
    '<https://example.com/x>',
    'see <https://example.com/a?b=c&d=e#f>, please',
    'https://example.com/?a=1&notify=2&copy=3&para=4&lang=5',
    'http://localhost:3000/<id>/edit',
    'GET /users/<user_id>/posts/<post_id>?q=<query>',
    'ftp://host/path and vscode://file/x and slack://open',
    '[text](https://example.com/a_b) and [more](/t/HOM-1)',
    '![alt text](https://example.com/a.png) caption',
    '[ref][1] and [1]\n\n[1]: https://example.com/ref',
    'www.example.com/path_(with)_brackets',
    'file:///C:/x and C:/y <z>',
    'tel:+491234 and +49 (0) 123 <456>',
  ].map((text) => (text.startsWith('[ref]') ? { text, shown: 'ref and 1' } : text)),
)

const tables = samples('tables', [
  '| a | b |\n|---|---|\n| 1 | 2 |',
  '| a | b |\n|---|---|\n| 1 | 2 | 3 | 4 |',
  '| cmd | does |\n|:-:|--:|\n| a | b || c |\n| `x` | y<z |',
  'a | b\n-|-\nList<T> | Map<K, V>\n1 | 2 | <U>',
  'name\tvalue\n<a>\t1\nb\t<2>'.replace('<a>', '<aa>'),
  'a,b,c\n"1,2",<x>,3',
  '+---+---+\n| a | b |\n+---+---+',
  '┌──┬──┐\n│ a│<b│\n└──┴──┘',
  '| a |\n|---|\n| \\| |\n| x \\| y |',
  '> | a | b |\n> |---|---|\n> | 1 | 2 | 3 |',
])

export const records = [...logs, ...traces, ...diffs, ...emails, ...links, ...tables]
