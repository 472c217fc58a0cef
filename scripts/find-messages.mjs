// usage: node codemod.mjs ROOT [--write] [only…]

import fs from 'node:fs'
import path from 'node:path'
import ts from 'typescript'

const [root, ...rest] = process.argv.slice(2)
const write = rest.includes('--write')
const only = rest.filter((x) => !x.startsWith('--'))
const web = path.join(root, 'src/web')
const enFile = path.join(web, 'messages/en.json')
const en = fs.existsSync(enFile) ? JSON.parse(fs.readFileSync(enFile, 'utf8')) : {}
const walk = (d) =>
  fs
    .readdirSync(d, { withFileTypes: true })
    .flatMap((e) => (e.isDirectory() ? walk(path.join(d, e.name)) : [path.join(d, e.name)]))
const files = walk(web)
  .filter((f) => /\.tsx?$/.test(f) && !/\.d\.ts$/.test(f) && !f.includes('/messages/'))
  .filter((f) => !only.length || only.some((o) => f.includes(o)))
const TEXT_ATTR = new Set([
  'aria-label',
  'placeholder',
  'title',
  'label',
  'hint',
  'name',
  'verb',
  'what',
  'alt',
  'about',
  'aria-description',
  'aria-roledescription',
  'text',
  'words',
  'note',
  'lost',
  'summary',
  'heading',
  'empty',
  'noun',
  'meta',
  'tip',
  'legend',
  'caption',
  'message',
  'lead',
])
const NOT_ATTR = new Set([
  'className',
  'key',
  'href',
  'to',
  'src',
  'type',
  'role',
  'id',
  'htmlFor',
  'autoComplete',
  'rel',
  'target',
  'method',
  'side',
  'align',
  'aria-live',
  'aria-current',
  'dir',
  'inputMode',
  'draft',
  'icon',
  'width',
  'height',
  'viewBox',
  'd',
  'fill',
  'stroke',
  'action',
  'as',
  'look',
  'size',
  'tag',
  'spellCheck',
  'accept',
  'aria-haspopup',
  'form',
  'pattern',
  'lang',
  'sandbox',
  'encType',
  'tabIndex',
  'data-kind',
  'loading',
])
const INLINE = new Set([
  'b',
  'strong',
  'i',
  'em',
  'kbd',
  'span',
  'code',
  'a',
  'Link',
  'time',
  'bdi',
  'Time',
  'Ago',
  'mark',
  'q',
  'Kbd',
])
const PHRASE = /[A-Za-z][A-Za-z'’]*[,.:;?!)]? +\(?[A-Za-z]/
const looksText = (s) => {
  const x = s.trim()
  if (!/[A-Za-z]{2}/.test(x)) return false
  if (/^(https?:|\/|\.|#|--|var\(|data-|aria-|[a-z]+\/)/.test(x)) return false
  if (/^[a-z0-9_.:-]+$/.test(x)) return false // identifiers
  if (/^[a-z]+([A-Z][a-z]*)+$/.test(x)) return false
  return /^[A-Z][a-z]/.test(x) || PHRASE.test(x)
}
const isPhrase = (s) =>
  (PHRASE.test(s) && !/^[a-z0-9 _-]+$/.test(s.trim())) ||
  /^[A-Z][a-z]+( [a-z]|[.?!…]$)/.test(s.trim())
const areaOf = (f) => {
  const rel = path.relative(web, f).split('/')
  if (rel.length === 1) return 'app'
  if (rel[0] === 'data') return 'app'
  if (rel[0] === 'kit' || rel[0] === 'shell') return rel[0]
  return rel[1].replace(/\.tsx?$/, '').replace(/-/g, '_')
}
const norm = (raw) => {
  // JSX text → string
  const lines = raw.split(/\r?\n/)
  const out = []
  lines.forEach((l, i) => {
    let s = l.replace(/\t/g, ' ')
    if (i > 0) s = s.replace(/^ +/, '')
    if (i < lines.length - 1) s = s.replace(/ +$/, '')
    if (s) out.push(s)
  })
  return out
    .join(' ')
    .replace(/&nbsp;/g, '\u00a0')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&amp;/g, '&')
    .replace(/&apos;/g, "'")
    .replace(/&quot;/g, '"')
}
const esc = (s) => s.replace(/'/g, (m, i) => "'").replace(/[{}]/g, (c) => `'${c}'`)
const skipped = []
const ENUM = new Set(
  'Weekdays Normal Archive Deleted Flattened Parent Manual Ascending Descending Public Private BlockedBy Blocking DueDate TableHeader TableRow CodeText TaskMarker LinkMark Corkboard Escape Enter Esc Tab Biweekly Weekly Daily Monthly Yearly Reply None Hide'.split(
    ' ',
  ),
)
const CODE_PROP = new Set([
  'status',
  'order',
  'mode',
  'subtask_setting',
  'visibility',
  'relation_type',
  'value',
  'id',
  'line',
  'key',
  'font',
  'method',
  'keys',
  'shown',
  'section_title',
  'also',
  'type',
  'name',
  'field',
  'kind',
  'size',
  'icon',
  'recurrence',
  'canvas',
])
const more = (n, s, isT, prop) => {
  if (process.env.NO_MORE) return false
  const t = s.trim()
  if (prop && CODE_PROP.has(prop)) return false
  if (ENUM.has(t) || /noopener|^[a-z]+ x$|^[A-Z][a-z]+[A-Z]|^#|^\[|^\.|\//.test(t)) return false
  if (/^(Arrow|Page|Shift|Home|End|Delete|Backspace)/.test(t) && !/ /.test(t)) return false
  if (/settings\/board\/colors|start\/templates|audit\/texts/.test(curFile))
    return /audit/.test(curFile)
  if (isT) return /^x [a-z]|^[A-Z]/.test(t)
  return /^[A-Z][a-z]/.test(t) || PHRASE.test(t)
}
let curFile = ''
const edits = new Map()
const wanted = [] // {file, area, msg}
const keyFor = new Map() // area|msg → placeholder object
const use = (area, msg) => {
  const k = `${area}|${msg}`
  if (!keyFor.has(k)) keyFor.set(k, { area, msg, count: 0 })
  keyFor.get(k).count++
  return keyFor.get(k)
}
const nameFor = (e) => {
  while (ts.isNonNullExpression(e) || ts.isParenthesizedExpression(e) || ts.isAsExpression(e))
    e = e.expression
  if (ts.isIdentifier(e)) return e.text
  if (ts.isPropertyAccessExpression(e)) return e.name.text === 'length' ? 'count' : e.name.text
  if (ts.isCallExpression(e)) {
    const c = ts.isPropertyAccessExpression(e.expression)
      ? ['trim', 'toLowerCase', 'join', 'toLocaleString', 'slice', 'toString', 'toFixed'].includes(
          e.expression.name.text,
        )
        ? nameFor(e.expression.expression)
        : e.expression.name.text
      : nameFor(e.expression)
    return (
      (c &&
        c
          .replace(/^(format|get)/, '')
          .replace(/(Of|Words|Text)$/, '')
          .replace(/^./, (x) => x.toLowerCase())) ||
      'value'
    )
  }
  if (ts.isElementAccessExpression(e)) return nameFor(e.argumentExpression)
  if (ts.isConditionalExpression(e)) return 'value'
  return 'value'
}
const isSimple = (e) => {
  while (ts.isNonNullExpression(e) || ts.isParenthesizedExpression(e)) e = e.expression
  return (
    ts.isIdentifier(e) ||
    ts.isPropertyAccessExpression(e) ||
    ts.isCallExpression(e) ||
    ts.isElementAccessExpression(e) ||
    (ts.isBinaryExpression(e) &&
      ['+', '-', '*', '/'].includes(e.operatorToken.getText()) &&
      !hasText(e))
  )
}
const hasText = (n) => {
  let f = false
  const v = (x) => {
    if (ts.isStringLiteralLike(x) && /[A-Za-z]/.test(x.text)) f = true
    if (ts.isJsxText(x) && /[A-Za-z]/.test(x.text)) f = true
    if (ts.isTemplateExpression(x)) f = true
    if (!f) ts.forEachChild(x, v)
  }
  v(n)
  return f
}
const tmp = (file) => path.relative(web, file)
for (const file of files) {
  curFile = file
  const src = fs.readFileSync(file, 'utf8')
  const sf = ts.createSourceFile(
    file,
    src,
    ts.ScriptTarget.Latest,
    true,
    file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS,
  )
  const area = areaOf(file)
  const list = []
  const call = (fn, m, vals) => ({ fn, m, vals })
  const put = (start, end, c, wrap) => list.push({ start, end, c, wrap })
  const skip = (n, why) =>
    skipped.push(
      `${tmp(file)}:${sf.getLineAndCharacterOfPosition(n.getStart()).line + 1} ${why}: ${n.getText().replace(/\s+/g, ' ').slice(0, 110)}`,
    )
  const param = (vals, name, srcText, exprNode) => {
    name = name.replace(/[^A-Za-z0-9_]/g, '') || 'value'
    const same = vals.find((v) => v.src === srcText)
    if (same) return same.name
    let n = name,
      i = 2
    while (vals.some((v) => v.name === n)) n = name + i++
    vals.push({ name: n, src: srcText, node: exprNode })
    return n
  }
  const template = (n) => {
    let msg = esc(n.head.text)
    const vals = []
    for (const s of n.templateSpans) {
      if (!isSimple(s.expression)) return undefined
      msg +=
        `{${param(vals, nameFor(s.expression), s.expression.getText(), s.expression)}}` +
        esc(s.literal.text)
    }
    return { msg, vals }
  }
  const doneNodes = new Set()
  const jsxChildren = (node) => {
    // groups between block elements
    let group = []
    const flush = () => {
      const g = group
      group = []
      // trim whitespace-only ends
      const isBlank = (c) =>
        ts.isJsxText(c) && !norm(c.text).trim() && (c.text.includes('\n') || !c.text)
      while (g.length && isBlank(g[0])) g.shift()
      while (g.length && isBlank(g.at(-1))) g.pop()
      if (!g.some((c) => ts.isJsxText(c) && /[A-Za-z]{2}/.test(c.text))) return
      const vals = []
      let msg = ''
      let isRich = false
      let bad
      for (const c of g) {
        if (ts.isJsxText(c)) msg += esc(norm(c.text))
        else if (ts.isJsxExpression(c)) {
          const e = c.expression
          if (!e) continue
          if (ts.isStringLiteralLike(e)) msg += esc(e.text)
          else if (isSimple(e)) msg += `{${param(vals, nameFor(e), e.getText(), e)}}`
          else {
            bad = e
            break
          }
        } else {
          // inline element
          isRich = true
          const inner = c.children?.filter((x) => !ts.isJsxText(x) || x.text.trim()) ?? []
          const only = inner.length === 1 && ts.isJsxExpression(inner[0]) && inner[0].expression
          const tag = (c.openingElement ?? c).tagName?.getText() ?? 'x'
          msg += `{${param(vals, only ? nameFor(only) : tag.toLowerCase(), c.getText())}}`
          vals.at(-1).node = c
        }
      }
      if (
        bad ||
        (g.some((c) => ts.isJsxText(c)) &&
          !g.filter(ts.isJsxText).some((c) => /[A-Za-z]{2}/.test(c.text)))
      ) {
        // each text on its own; report
        for (const c of g)
          if (ts.isJsxText(c) && /[A-Za-z]{2}/.test(c.text)) {
            const s = norm(c.text)
            const m = use(area, esc(s.trim()))
            const lead = /^ /.test(s) ? "{' '}" : '',
              tail = / $/.test(s) ? "{' '}" : ''
            put(lead ? c.pos : c.getStart(), c.end, call('t', m, []), (x) => `${lead}{${x}}${tail}`)
            doneNodes.add(c)
          }
        skip(node, 'FRAGMENT')
        return
      }
      const m = use(area, msg)
      const first = g[0],
        last = g.at(-1)
      const lead = /^\s/.test(msg) && ts.isJsxText(first),
        tail = /\s$/.test(msg) && ts.isJsxText(last)
      let text = msg
      let pre = '',
        post = ''
      if (lead || tail) {
        text = msg.trim()
        keyFor.get(`${area}|${msg}`).count--
        if (lead) pre = "{' '}"
        if (tail) post = "{' '}"
      }
      const mm = text === msg ? m : use(area, text)
      if (lead || tail) skip(node, 'EDGE SPACE')
      const start = lead ? first.pos : first.getStart()
      let end = last.end
      if (ts.isJsxText(last)) {
        const tr = last.text.length - last.text.trimEnd().length
        end -= tr
      }
      put(start, end, { fn: isRich ? 'rich' : 't', m: mm, vals }, (x) => `${pre}{${x}}${post}`)
      for (const c of g) doneNodes.add(c)
      // texts inside the inline elements are visited, as nested edits
      for (const c of g) if (!ts.isJsxText(c)) visit(c)
    }
    for (const c of node.children) {
      if (ts.isJsxText(c)) group.push(c)
      else if (ts.isJsxExpression(c)) group.push(c)
      else {
        const tag = (c.openingElement ?? c).tagName?.getText()
        if (tag && INLINE.has(tag)) group.push(c)
        else {
          flush()
        }
      }
    }
    flush()
  }
  const ctxOf = (n) => {
    // the nearest naming context
    let p = n.parent,
      c = n
    while (
      p &&
      ((ts.isConditionalExpression(p) && p.condition !== c) ||
        ts.isParenthesizedExpression(p) ||
        (ts.isBinaryExpression(p) && ['&&', '||', '??'].includes(p.operatorToken.getText())) ||
        ts.isJsxExpression(p) ||
        ts.isAsExpression(p) ||
        ts.isSatisfiesExpression?.(p) ||
        ts.isArrayLiteralExpression(p))
    ) {
      c = p
      p = p.parent
    }
    return [p, c]
  }
  function visit(n) {
    if (
      doneNodes.has(n) &&
      !ts.isJsxElement(n) &&
      !ts.isJsxSelfClosingElement(n) &&
      !ts.isJsxFragment(n)
    ) {
      if (ts.isJsxText(n)) return
    }
    if (
      ts.isImportDeclaration(n) ||
      ts.isExportDeclaration(n) ||
      ts.isTypeNode(n) ||
      ts.isInterfaceDeclaration(n) ||
      ts.isTypeAliasDeclaration(n)
    )
      return
    if ((ts.isJsxElement(n) || ts.isJsxFragment(n)) && !n.__done) {
      n.__done = true
      jsxChildren(n)
    }
    if (ts.isCallExpression(n) && ['t', 'rich'].includes(n.expression.getText())) {
      n.arguments.slice(1).forEach(visit)
      return
    }
    if (ts.isStringLiteralLike(n) || ts.isTemplateExpression(n)) {
      if (n.__done) return
      n.__done = true
      const isT = ts.isTemplateExpression(n)
      const s = isT
        ? n.head.text + n.templateSpans.map((x) => 'x' + x.literal.text).join('')
        : n.text
      const plainWords = isT
        ? [n.head.text, ...n.templateSpans.map((x) => x.literal.text)].join(' ')
        : s
      if (!/[A-Za-z]{2}/.test(plainWords)) {
        ts.forEachChild(n, visit)
        return
      }
      const [p, c] = ctxOf(n)
      let ok
      if (
        /pages\/(page-view|screen)\.tsx$/.test(file) &&
        ts.isJsxAttribute(p) &&
        p.name.getText() === 'what'
      )
        return
      if (ts.isJsxAttribute(p)) {
        const a = p.name.getText()
        if (NOT_ATTR.has(a) || a.startsWith('data-')) {
          ts.forEachChild(n, visit)
          return
        }
        ok = TEXT_ATTR.has(a)
          ? a === 'name' || a === 'of'
            ? /^[A-Z]|\s/.test(s)
            : /[A-Za-z]{2}/.test(plainWords)
          : looksText(s)
        if (!ok) {
          if (looksText(plainWords)) skip(n, `ATTR ${a}`)
          ts.forEachChild(n, visit)
          return
        }
      } else if (
        ts.isBinaryExpression(p) &&
        ['===', '!==', 'in'].includes(p.operatorToken.getText())
      )
        return
      else if (
        ts.isCaseClause(p) ||
        ts.isLiteralTypeNode(p) ||
        (ts.isPropertyName?.(n) && p.name === n) ||
        (ts.isPropertyAssignment(p) && p.name === c) ||
        ts.isElementAccessExpression(p) ||
        ts.isPropertySignature(p)
      )
        return
      else if (ts.isPropertyAssignment(p)) {
        const a = p.name.getText().replace(/['"]/g, '')
        if (NOT_ATTR.has(a) && !looksText(s)) return ts.forEachChild(n, visit)
        if (['className', 'key', 'type', 'method'].includes(a)) return ts.forEachChild(n, visit)
        ok = TEXT_ATTR.has(a)
          ? looksText(s) || isPhrase(s)
          : isPhrase(s) || (isT && looksText(plainWords))
        if (!ok && more(n, s, isT, a)) ok = true
        if (!ok) {
          if (looksText(s)) skip(n, `PROP ${a}`)
          ts.forEachChild(n, visit)
          return
        }
      } else {
        ok = isPhrase(s) || (isT && PHRASE.test(plainWords))
        if (!ok && more(n, s, isT)) ok = true
        if (!ok) {
          if (looksText(s)) skip(n, 'STRING')
          else if (isT && /[A-Za-z]{3}/.test(plainWords) && / /.test(plainWords))
            skip(n, 'TEMPLATE')
          ts.forEachChild(n, visit)
          return
        }
      }
      // class-name-like template
      if (isT) {
        const r = template(n)
        if (!r) {
          skip(n, 'COMPLEX')
          ts.forEachChild(n, visit)
          return
        }
        put(
          n.getStart(),
          n.end,
          { fn: 't', m: use(area, r.msg), vals: r.vals },
          ts.isJsxAttribute(n.parent) ? (x) => `{${x}}` : (x) => x,
        )
        for (const sp of n.templateSpans) visit(sp.expression)
        return
      }
      put(
        n.getStart(),
        n.end,
        { fn: 't', m: use(area, esc(s)), vals: [] },
        ts.isJsxAttribute(n.parent) ? (x) => `{${x}}` : (x) => x,
      )
      return
    }
    ts.forEachChild(n, visit)
  }
  visit(sf)
  if (list.length) edits.set(file, { src, list })
}
// keys
const byText = new Map()
for (const k of keyFor.values())
  if (k.count > 0) (byText.get(k.msg) ?? byText.set(k.msg, []).get(k.msg)).push(k)
for (const [msg, ks] of byText)
  if (ks.length >= 3 || (en.common && Object.values(en.common).includes(msg)))
    for (const k of ks) k.area = 'common'
const slug = (m) =>
  (
    m
      .toLowerCase()
      .replace(/\{(\w+)[^}]*\}/g, '$1')
      .replace(/['’]/g, '')
      .match(/[a-z0-9]+/g) ?? ['text']
  ).slice(0, 7)
const taken = new Map()
for (const a of Object.keys(en))
  for (const [n, m] of Object.entries(en[a])) taken.set(`${a}.${n}`, m)
for (const k of keyFor.values()) {
  if (k.count <= 0) continue
  const existing = en[k.area] && Object.entries(en[k.area]).find(([, m]) => m === k.msg)
  if (existing) {
    k.key = existing[0]
    continue
  }
  const words = slug(k.msg)
  let n = ''
  for (const w of words) {
    if ((n + '_' + w).length > 42) break
    n = n ? `${n}_${w}` : w
  }
  if (/^\d/.test(n)) n = `n${n}`
  let key = n,
    i = 2
  const clash = () => taken.has(`${k.area}.${key}`) && taken.get(`${k.area}.${key}`) !== k.msg
  if (clash())
    key = `${n}_${/\?$/.test(k.msg) ? 'question' : /…$/.test(k.msg) ? 'dialog' : /:\s*$/.test(k.msg) ? 'label' : /^[a-z(]/.test(k.msg) ? 'inline' : /\.$/.test(k.msg) ? 'sentence' : 'name'}`
  while (taken.has(`${k.area}.${key}`) && taken.get(`${k.area}.${key}`) !== k.msg)
    key = `${n}_${i++}`
  taken.set(`${k.area}.${key}`, k.msg)
  k.key = key
  ;(en[k.area] ??= {})[key] = k.msg
}
let total = 0
for (const [file, { src, list }] of edits) {
  list.sort((a, b) => a.start - b.start || b.end - a.end)
  const render = (start, end, items) => {
    let out = '',
      at = start
    for (let i = 0; i < items.length; i++) {
      const e = items[i]
      if (e.start < at) continue
      const inner = items.filter((x) => x !== e && x.start >= e.start && x.end <= e.end)
      out += src.slice(at, e.start)
      const vals = e.c.vals.map((v) => {
        let s = v.src
        if (v.node)
          s = render(
            v.node.getStart(),
            v.node.end,
            inner.filter((x) => x.start >= v.node.getStart() && x.end <= v.node.end),
          )
        return v.name === s ? s : `${v.name}: ${s}`
      })
      const args = vals.length ? `, { ${vals.join(', ')} }` : ''
      out += e.wrap(`${e.c.fn}('${e.c.m.area}.${e.c.m.key}'${args})`)
      at = e.end
      total++
    }
    return out + src.slice(at, end)
  }
  let code = render(0, src.length, list)
  const fns = [...new Set(list.map((e) => e.c.fn))].sort()
  const rel = path.relative(path.dirname(file), path.join(web, 'messages/t.ts'))
  const spec = rel.startsWith('.') ? rel : './' + rel
  const imp = new RegExp(`import \\{ ([\\w, ]+) \\} from '${spec.replace(/\./g, '\\.')}'\n`)
  const had = imp.exec(code)
  if (had)
    code = code.replace(
      imp,
      `import { ${[...new Set([...had[1].split(', '), ...fns])].sort().join(', ')} } from '${spec}'\n`,
    )
  else {
    const at = /^(?:\/\*\*[\s\S]*?\*\/\n)?(?=import )/.exec(code)
    code = at
      ? code.slice(0, at[0].length) +
        `import { ${fns.join(', ')} } from '${spec}'\n` +
        code.slice(at[0].length)
      : `import { ${fns.join(', ')} } from '${spec}'\n\n` + code
  }
  if (write) fs.writeFileSync(file, code)
  else if (only.length) console.log('=== ' + file + '\n' + code)
}
const sorted = Object.fromEntries(
  Object.entries(en)
    .sort()
    .map(([a, m]) => [
      a,
      Object.fromEntries(Object.entries(m).sort(([x], [y]) => (x < y ? -1 : 1))),
    ]),
)
if (write) fs.writeFileSync(enFile, JSON.stringify(sorted, null, 2) + '\n')
fs.writeFileSync(path.join(root, 'skipped-texts.txt'), skipped.join('\n') + '\n')
console.log(
  `${total} edits in ${edits.size} files, ${Object.values(sorted).reduce((n, a) => n + Object.keys(a).length, 0)} messages, ${skipped.length} skipped`,
)
