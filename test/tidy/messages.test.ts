import { expect, test } from 'bun:test'
import MessageFormat from '@messageformat/core'
import { parseSync } from '@swc/core'
import { languageSource } from '../../scripts/languages.ts'
import { compileMessages, type Lookups } from '../../scripts/messages.ts'
import { checkLanguage, languages } from '../../scripts/messages-check.ts'
import en from '../../src/web/messages/en.json'
import { hashOf } from '../../src/web/messages/hash.ts'
import { readFiles } from '../support/source-files.ts'

const modules = readFiles('src/web/**/*.{ts,tsx}').filter(
  ({ path }) => !/\.d\.ts$|^src\/web\/messages\//.test(path),
)
const catalog: Record<string, Record<string, string>> = en
const messages = Object.entries(catalog).flatMap(([area, own]) =>
  Object.entries(own).map(([name, message]) => ({ key: `${area}.${name}`, message })),
)

type Node = Readonly<Record<string, unknown>>
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null

const TEXT_ATTRIBUTE = /^(aria-label|placeholder|title|label|hint|verb|what|alt|about)$/
const NO_TEXT_ATTRIBUTE = /^(className|d|style|viewBox|rel|sandbox|allow|sizes)$/
/** Two words, the first of which begins a sentence, or words with punctuation. */
const SENTENCE = /^\s*[A-Z][A-Za-z’']*\s+[a-z(“]|[a-z]{2,}[,.:;?!]\s+[A-Za-z]/
const WORD = /[A-Za-z]{2}/
/** A CSS selector, such as `a, button` or `.add-line input`, or a media query. */
const SELECTOR = /^\.[a-z]|^\([a-z-]+: |\[[a-z-]+(=|\])|^[a-z]\w*(, [a-z]\w*)+$/

interface Found {
  /** Texts that are written in the module. */
  texts: string[]
  /** Calls of `t` and `rich`. */
  uses: { key: string; values: string[] }[]
}

/** What a module shows. */
function findTexts(source: string, tsx = true): Found {
  const found: Found = { texts: [], uses: [] }
  visit(parseSync(source, { syntax: 'typescript', tsx }) as unknown as Node)
  return found

  function visit(node: Node): void {
    const { type } = node
    if (type === 'ImportDeclaration' || type === 'TsLiteralType') return
    if (type === 'CallExpression' && isUse(node)) visitUse(node)
    else if (type === 'JSXAttribute') visitAttribute(node)
    else {
      const text = textOf(node)
      if (type === 'JSXText' ? WORD.test(text) : SENTENCE.test(text) && !SELECTOR.test(text))
        found.texts.push(text.trim())
      visitAll(Object.values(node))
    }
  }
  function visitAll(values: readonly unknown[]) {
    for (const value of values)
      if (Array.isArray(value)) visitAll(value)
      else if (isNode(value)) visit(value)
  }
  function visitUse({ arguments: args }: Node) {
    const [key, values] = (args as { expression: Node }[]).map(({ expression }) => expression)
    const properties = (values?.properties ?? []) as Node[]
    const names = properties.map((one) => String((one.key as Node | undefined)?.value ?? one.value))
    found.uses.push({ key: String(key!.value), values: names.sort() })
    if (values) visit(values)
  }
  function visitAttribute({ name, value }: Node): void {
    const attribute = String((name as Node).value)
    if (NO_TEXT_ATTRIBUTE.test(attribute) || !isNode(value)) return
    if (value.type !== 'StringLiteral') visit(value)
    else if (
      TEXT_ATTRIBUTE.test(attribute) ? WORD.test(textOf(value)) : SENTENCE.test(textOf(value))
    )
      found.texts.push(textOf(value))
  }
}

const isUse = ({ callee }: Node) => ['t', 'rich'].includes(String((callee as Node).value))

function textOf({ type, value, cooked }: Node): string {
  const isText = type === 'JSXText' || type === 'StringLiteral' || type === 'TemplateElement'
  return isText ? String(value ?? cooked) : ''
}

/** The names of the values that a message needs. */
function valuesOf(message: string): string[] {
  const names = new Set<string>()
  const format = new MessageFormat('en').compile(message)
  // A plural reads the values of one branch only.
  for (const value of [0, 1, 2])
    format(new Proxy({}, { get: (_, name) => names.add(String(name)) && value }))
  return [...names].sort()
}

test('a text outside of the catalog is found', () => {
  const source = `
    const a = <p>Hello</p>
    const b = <a title="Open" className="Big link" href="/x">{t('app.open')}</a>
    const c = 'This is a sentence'
    const d = rich('app.moved', { name: <b>{name}</b>, count })
    const e = \`\${name} was moved. It is here.\`
    const f = [closest('a, textarea, select'), matchMedia('(pointer: coarse)')]`
  expect(findTexts(source)).toEqual({
    texts: ['Hello', 'Open', 'This is a sentence', 'was moved. It is here.'],
    uses: [
      { key: 'app.open', values: [] },
      { key: 'app.moved', values: ['count', 'name'] },
    ],
  })
})

test('every text that the app shows is in the catalog', () => {
  const outside = modules.flatMap(({ path, text }) =>
    findTexts(text, path.endsWith('x')).texts.map((found) => `${path}: ${found}`),
  )
  expect(outside).toEqual([])
})

test('every message is used, with the values that it needs', () => {
  const uses = modules.flatMap(({ path, text }) =>
    findTexts(text, path.endsWith('x')).uses.map((use) => ({ path, ...use })),
  )
  const used = new Set(uses.map(({ key }) => key))
  expect(messages.map(({ key }) => key).filter((key) => !used.has(key))).toEqual([])
  const valuesByKey = new Map(messages.map(({ key, message }) => [key, valuesOf(message)]))
  for (const { path, key, values } of uses)
    expect({ path, key, values }).toEqual({ path, key, values: valuesByKey.get(key)! })
})

const own = {
  app: {
    open: 'Open',
    moved: 'Moved {name} to `{to}`',
    twice: '{name} and {name}',
    tasks: '{count, plural, one {# task} other {# tasks}}',
  },
}

test('a message becomes a template, and one with a plural or a name that repeats a function', () => {
  const compile = (source: string, homonyms?: ReadonlySet<string>) =>
    compileMessages(source, { catalog: own, ...(homonyms && { homonyms }) })
  expect(compile("// “t”\nconst a = t('app.open')")).toBe('// “t”\nconst a = t`Open`')
  expect(compile("const a = t('app.open')", new Set(['app.open']))).toBe(
    `const a = t("${hashOf('app.open')}", "Open")`,
  )
  expect(compile("const a = t('app.moved', { name, to: t('app.open') })")).toBe(
    `const a = t\`Moved \${name} to \\\`\${t\`Open\`}\\\`\``,
  )
  expect(compile("const a = t('app.twice', { name })")).toEndWith(
    `const a = t("${hashOf('app.twice')}", __messages.m0, { name })`,
  )
  expect(compile("const a = t('app.tasks', { count: 2 })")).toEndWith(
    `const a = t("${hashOf('app.tasks')}", __messages.m0, { count: 2 })`,
  )
  expect(compile("rich('app.moved', { name: <b>{t('app.open')}</b>, to })")).toEndWith(
    `rich("${hashOf('app.moved')}", __messages.m0, { name: <b>{t\`Open\`}</b>, to })`,
  )
  expect(() => compile("t('app.closed')")).toThrow('No message app.closed in en.json')
})

test('the file of a language has a text or a function for each message that is translated', () => {
  const lookups: Lookups = new Map()
  compileMessages(
    "[t('app.open'), t('app.moved', { name, to }), t('app.twice', { name }), t('app.tasks', { count })]",
    { catalog: own, lookups },
  )
  const german = {
    app: {
      open: 'Offen',
      moved: 'Nach {to} verschoben: {name}',
      tasks: '{count, plural, one {# Aufgabe} other {# Aufgaben}}',
    },
  }
  const source = languageSource('de', german, lookups)
  expect([...lookups.values()].map(({ key }) => key)).toEqual(Object.keys(own.app).map(inApp))
  expect(source).toContain('"Offen"')
  expect(source).toContain('"Nach \ue001 verschoben: \ue000"')
  expect(source).toContain('" Aufgaben"')
  expect(source).not.toContain('twice')
})

const inApp = (name: string) => `app.${name}`

test('no translation has a problem', async () => {
  for (const language of languages)
    expect({ language, problems: (await checkLanguage(language)).problems }).toEqual({
      language,
      problems: [],
    })
})
