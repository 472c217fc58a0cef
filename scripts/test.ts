/**
 * Builds the executable if it is older than its sources, checks the code and runs every test.
 *
 *   npm test -- [--full] [paths…]
 *
 * CORK_TEST_SKIP names parts (folders of test/, or "check") to leave out, separated by commas.
 */
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { ensureBrowser } from './browser.ts'
import { binary, build } from './build.ts'
import { check } from './check.ts'

const root = join(import.meta.dir, '..')
const full = process.argv.includes('--full')
const paths = process.argv.slice(2).filter((argument) => argument !== '--full')
const skipped = new Set((process.env.CORK_TEST_SKIP ?? '').split(',').filter(Boolean))

const partOf = (file: string) => file.split('/').slice(1, -1)[0] ?? 'test'
const found = [...new Bun.Glob('test/**/*.test.ts').scanSync({ cwd: root })].sort()
const parts = [...new Set(found.map(partOf))]
for (const part of skipped)
  if (part !== 'check' && !parts.includes(part)) stop(`CORK_TEST_SKIP names no part "${part}"`)

if (stale()) await build()
// Where this fails, the browser tests say what to do.
if (!skipped.has('browser')) await ensureBrowser()
let failed = 0
if (!paths.length && !skipped.has('check') && !(await check())) failed++

const chosen = found.filter((file) => !skipped.has(partOf(file))).map((file) => `./${file}`)
const counts = await test(paths.length ? paths : chosen)
const none = counts.passed + counts.failed === 0
if (counts.code !== 0 && !counts.failed) counts.failed = 1
failed += counts.failed + (none ? 1 : 0)
for (const part of skipped) console.log(`SKIPPED ${part}: CORK_TEST_SKIP says so`)
if (none) console.log('No test ran, which counts as a failure')
console.log(`${counts.passed} passed, ${failed} failed`)
process.exit(failed ? 1 : 0)

function stop(message: string): never {
  console.error(`${message}; there are check, ${parts.join(', ')}`)
  process.exit(2)
}

function stale(): boolean {
  if (!existsSync(binary)) return true
  const built = statSync(binary).mtimeMs
  const sources = [...new Bun.Glob('{src,drizzle}/**/*').scanSync({ cwd: root })]
  return [...sources, 'package.json', 'bun.lock', 'scripts/build.ts'].some(
    (file) => statSync(join(root, file)).mtimeMs > built,
  )
}

/** Shows the tests as they run, and reads the summary that Bun ends with. */
async function test(chosen: string[]) {
  const run = Bun.spawn([process.execPath, 'test', '--timeout=60000', ...chosen], {
    cwd: root,
    stdout: 'inherit',
    stderr: 'pipe',
    env: { ...process.env, ...(full && { CORK_TEST_FULL: '1' }) },
  })
  let text = ''
  const decoder = new TextDecoder()
  for await (const chunk of run.stderr) {
    process.stderr.write(chunk)
    text = (text + decoder.decode(chunk, { stream: true })).slice(-10_000)
  }
  const count = (word: string) => Number(text.match(new RegExp(`^ *(\\d+) ${word}`, 'm'))?.[1] ?? 0)
  return { passed: count('pass'), failed: count('fail'), code: await run.exited }
}
