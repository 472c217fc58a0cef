import { afterAll, expect, test } from 'bun:test'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { root } from '../support/source-files.ts'

const folder = mkdtempSync(join(tmpdir(), 'cork-imports-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** One import that each rule forbids; `scripts/check.ts` runs the same rules over the real code. */
const FORBIDDEN: Record<string, [from: string, to: string]> = {
  'kernel-knows-nothing': ['src/kernel/a.ts', 'src/store/b.ts'],
  'store-knows-only-the-kernel': ['src/store/c.ts', 'src/features/identity/people/model/index.ts'],
  'search-looks-down': ['src/search/n.ts', 'src/surfaces/limits.ts'],
  'import-knows-only-the-kernel': ['src/import/record.ts', 'src/store/b.ts'],
  'files-know-only-the-kernel': ['src/files/k.ts', 'src/store/b.ts'],
  'fetch-knows-only-the-kernel': ['src/fetch/l.ts', 'src/store/b.ts'],
  'mail-knows-only-the-kernel': ['src/mail/p.ts', 'src/store/b.ts'],
  'oidc-knows-only-the-kernel': ['src/oidc/y.ts', 'src/store/b.ts'],
  'ai-knows-only-the-kernel': ['src/ai/w.ts', 'src/store/b.ts'],
  'languages-know-nothing': ['src/languages/ab.ts', 'src/store/b.ts'],
  'chat-stands-on-features': ['src/chat/x.ts', 'src/surfaces/limits.ts'],
  'manual-looks-down': ['src/manual/o.ts', 'src/store/b.ts'],
  'content-knows-only-the-kernel': ['src/content/m.ts', 'src/store/b.ts'],
  'features-look-down': ['src/features/identity/teams/model/d.ts', 'src/surfaces/gateway.ts'],
  'nouns-meet-at-the-index': [
    'src/features/tasks/tasks/operations/e.ts',
    'src/features/boards/labels/model/store.ts',
  ],
  'models-do-not-know-operations': [
    'src/features/boards/labels/model/y.ts',
    'src/features/boards/labels/operations/index.ts',
  ],
  'operations-do-not-know-those-of-other-nouns': [
    'src/features/boards/labels/operations/z.ts',
    'src/features/tasks/tasks/operations/index.ts',
  ],
  'only-the-catalog-knows-operations': [
    'src/doctor/aa.ts',
    'src/features/tasks/tasks/operations/index.ts',
  ],
  'every-noun-has-its-place-in-the-order': [
    'src/main.ts',
    'src/features/boards/stowaways/model/index.ts',
  ],
  'labels-looks-up': [
    'src/features/boards/labels/model/f.ts',
    'src/features/tasks/edits/model/index.ts',
  ],
  'only-indexes-show-outside': ['src/server/app.ts', 'src/features/identity/people/model/store.ts'],
  'surfaces-do-not-know-features': [
    'src/surfaces/rest/g.ts',
    'src/features/boards/projects/model/index.ts',
  ],
  'surfaces-do-not-know-each-other': ['src/surfaces/rest/h.ts', 'src/surfaces/mcp/index.ts'],
  'the-app-knows-the-catalog': ['src/web/q.tsx', 'src/store/b.ts'],
  'nobody-knows-the-app': ['src/surfaces/web/r.ts', 'src/web/s.ts'],
  'web-kit-looks-up': ['src/web/kit/s.ts', 'src/web/data/t.ts'],
  'web-screens-looks-up': ['src/web/screens/board/u.ts', 'src/web/shell/v.tsx'],
  'web-user-looks-up': ['src/web/entities/user/y.ts', 'src/web/entities/task/z.ts'],
  'screens-do-not-know-each-other': ['src/web/screens/board/u.ts', 'src/web/screens/mine/a.ts'],
  'every-web-module-has-its-place-in-the-order': ['src/web/main.tsx', 'src/web/parts/b.ts'],
  'workers-stand-on-features': ['src/workers/i.ts', 'src/surfaces/limits.ts'],
  'transfer-stands-on-features': ['src/transfer/j.ts', 'src/surfaces/limits.ts'],
  'rules-are-pure': [
    'src/features/boards/sections/model/rules.ts',
    'src/features/boards/sections/model/tables.ts',
  ],
}

test('each import rule finds a forbidden import, even of a type', () => {
  const add = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text, { flag: 'a' })
  }
  for (const [from, to] of Object.values(FORBIDDEN)) {
    add(to, 'export type Thing = 1\n')
    add(from, `import type { Thing } from '${'../'.repeat(from.split('/').length - 1)}${to}'\n`)
  }
  add('src/kernel/one.ts', "import './two.ts'\n")
  add('src/kernel/two.ts', "import './one.ts'\n")
  add('src/web/kit/one.ts', "import type {} from './two.ts'\n")
  add('src/web/kit/two.ts', "import type {} from './one.ts'\n")
  for (const file of ['tsconfig.json', '.dependency-cruiser.cjs'])
    cpSync(join(root, file), join(folder, file))
  const rules = readFileSync(join(root, '.dependency-cruiser.cjs'), 'utf8')
  for (const [, name] of rules.matchAll(/name: '([\w-]+)'/g))
    expect([...Object.keys(FORBIDDEN), 'no-cycles']).toContain(name!)

  const cruiser = join(root, 'node_modules/.bin/depcruise')
  const args = ['--config', '.dependency-cruiser.cjs', '--output-type', 'json', 'src']
  const result = Bun.spawnSync([process.execPath, '--bun', cruiser, ...args], { cwd: folder })
  const { summary } = JSON.parse(result.stdout.toString())
  const found = summary.violations.map(
    ({ rule, from, to }: { rule: { name: string }; from: string; to: string }) =>
      `${rule.name}: ${from} → ${to}`,
  )
  for (const [rule, [from, to]] of Object.entries(FORBIDDEN))
    expect(found).toContain(`${rule}: ${from} → ${to}`)
  expect(found).toContain('no-cycles: src/kernel/one.ts → src/kernel/two.ts')
  expect(found).toContain('no-cycles: src/web/kit/one.ts → src/web/kit/two.ts')
})
