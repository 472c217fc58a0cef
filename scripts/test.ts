/**
 * Builds the executable if it is older than its sources, checks the code and runs the tests: on
 * SQLite, then once more on a PostgreSQL that is started for it. Of the long suites a sample is run,
 * always the same one; `--full` runs all.
 *
 *   npm test -- [--full] [paths…]
 *
 * CORK_TEST_SKIP names parts (folders of test/, "check" or "postgres") to leave out, separated by
 * commas.
 */
import { join } from 'node:path'
import { ensureBrowser } from './browser.ts'
import { build, stale } from './build.ts'
import { check } from './check.ts'
import { startPostgres } from './postgres.ts'
import { ensureProxies } from './proxies.ts'

const root = join(import.meta.dir, '..')
const full = process.argv.includes('--full')
const paths = process.argv.slice(2).filter((argument) => argument !== '--full')
const skipped = new Set((process.env.CORK_TEST_SKIP ?? '').split(',').filter(Boolean))

/** Where no database is asked, or SQLite itself is what is tested. */
const SQLITE_ALONE = [
  'test/ai/',
  'test/bench/',
  'test/browser/',
  'test/content/',
  'test/contract/',
  'test/fetch/',
  'test/files/',
  'test/pages/',
  'test/proxy/',
  'test/schemathesis/',
  'test/search/',
  'test/tidy/',
  'test/binary/conformance.test.ts',
  'test/binary/install.test.ts',
  'test/binary/readme.test.ts',
  'test/binary/release.test.ts',
  'test/crash/faults.test.ts',
  'test/crash/starts.test.ts',
  'test/store/migrate.test.ts',
  'test/store/plans.test.ts',
  'test/store/queue.test.ts',
  'test/store/trouble.test.ts',
]

/** Folders that take long: of their files one of so many is run, and all with --full. */
const SAMPLED = [
  { folder: 'test/binary/', sqlite: 12, postgres: 18 },
  { folder: 'test/browser/', sqlite: 11, postgres: 1 },
  { folder: 'test/chat/', sqlite: 4, postgres: 8 },
  { folder: 'test/content/', sqlite: 2, postgres: 1 },
  { folder: 'test/crash/', sqlite: 4, postgres: 6 },
  { folder: 'test/features/', sqlite: 4, postgres: 14 },
  { folder: 'test/leases/', sqlite: 1, postgres: 2 },
  { folder: 'test/search/', sqlite: 2, postgres: 1 },
  { folder: 'test/surfaces/', sqlite: 4, postgres: 10 },
  { folder: 'test/workers/', sqlite: 2, postgres: 4 },
]
/** Folders that take minutes for one file: only --full runs them, or their name. */
const FULL_ALONE = ['test/schemathesis/']

/** Everybody who tests a commit runs the same part; another number runs another one. */
const sample = process.env.CORK_TEST_SAMPLE ?? '189573229'
console.log(`Sample ${sample} of the long suites; CORK_TEST_SAMPLE names another one`)

/**
 * Walks through processes and browsers, which wait for a machine that may stand still for seconds:
 * where one of them fails, its file is run once more, alone. What fails twice is broken.
 */
const WALKS = /^(\.\/)?test\/(binary|browser)\//

/** Files that are named are run whatever folder they are in. */
function sampled(files: readonly string[], engine: 'sqlite' | 'postgres'): string[] {
  if (full || paths.length) return [...files]
  return files.filter((file, at) => {
    if (FULL_ALONE.some((folder) => file.startsWith(folder))) return false
    const long = SAMPLED.find(({ folder }) => file.startsWith(folder))
    return !long || (at + Number(sample)) % long[engine] === 0
  })
}

const partOf = (file: string) => file.split('/').slice(1, -1)[0] ?? 'test'
const found = [...new Bun.Glob('test/**/*.test.ts').scanSync({ cwd: root })].sort()
const parts = [...new Set(found.map(partOf)), 'check', 'postgres']
for (const part of skipped)
  if (!parts.includes(part)) stop(`CORK_TEST_SKIP names no part "${part}"`)

if (stale()) await build()
// Where this fails, the browser tests say what to do.
if (!skipped.has('browser')) await ensureBrowser()
if (!skipped.has('proxy')) await ensureProxies()
let failed = 0
const checked = paths.length > 0 || skipped.has('check') || (await check())
if (!checked) failed++

const chosen = paths.length ? paths : found.filter((file) => !skipped.has(partOf(file)))
const lines: string[] = []
lines.push(line('SQLite', await test(sampled(chosen, 'sqlite').map(plain), '')))
const shared = chosen.filter(
  (path) => !SQLITE_ALONE.some((one) => plain(path).startsWith(`./${one}`)),
)
if (shared.length && !skipped.has('postgres'))
  lines.push(await onPostgres(sampled(shared, 'postgres').map(plain)))
for (const part of skipped) lines.push(`SKIPPED ${part}: CORK_TEST_SKIP says so`)
if (!checked) lines.push('Checks: FAILED, as told at the beginning; npm run check shows them alone')
console.log(lines.join('\n'))
process.exit(failed ? 1 : 0)

function stop(message: string): never {
  console.error(`${message}; there are ${parts.join(', ')}`)
  process.exit(2)
}

/** As Bun takes a path for a path and not for a pattern. */
function plain(path: string): string {
  return path.startsWith('./') ? path : `./${path}`
}

async function onPostgres(files: string[]): Promise<string> {
  try {
    const { url, stop } = await startPostgres()
    try {
      return line('PostgreSQL', await test(files, url))
    } finally {
      await stop()
    }
  } catch (error) {
    failed++
    return `PostgreSQL: FAILED, nothing was run. ${(error as Error).message}`
  }
}

interface Counts {
  passed: number
  failed: number
  skipped: number
  code: number
  seconds: number
  /** By file, what did not pass. */
  fails: ReadonlyMap<string, readonly string[]>
}

/** What an engine's run came to; a run without a test, or that broke off, has failed. */
function line(engine: string, counts: Counts): string {
  const { passed, skipped, seconds, code } = counts
  const none = passed + counts.failed === 0
  const bad = counts.failed || (none || code !== 0 ? 1 : 0)
  failed += bad
  const why = none ? '; no test ran, which counts as a failure' : ''
  const names = [...counts.fails].flatMap(([file, fails]) => fails.map((one) => `${file}: ${one}`))
  const told = [
    `${engine}: ${passed} passed, ${bad} failed, ${skipped} skipped in ${seconds} s${why}`,
  ]
  return [...told, ...names.map((name) => `  FAILED ${name}`)].join('\n')
}

async function test(chosen: string[], DATABASE_URL: string): Promise<Counts> {
  const first = await run(chosen, DATABASE_URL)
  const files = [...first.fails.keys()]
  if (!files.length || !files.every((file) => WALKS.test(file))) return first
  console.log(`Once more, alone: ${files.join(', ')}`)
  const second = await run(files.map(plain), DATABASE_URL)
  for (const file of files.filter((one) => !second.fails.has(one)))
    for (const name of first.fails.get(file)!)
      lines.push(`UNSTEADY ${file}: ${name} failed at first, and passed alone`)
  return {
    ...second,
    passed: first.passed + (second.code === 0 ? first.failed : 0),
    skipped: first.skipped,
    seconds: first.seconds + second.seconds,
  }
}

/** Shows the tests as they run, and reads what Bun says of them. */
async function run(chosen: string[], DATABASE_URL: string): Promise<Counts> {
  const began = performance.now()
  // The full counts of a long suite take minutes.
  const timeLimit = `--timeout=${full ? 900_000 : 60_000}`
  const bun = Bun.spawn([process.execPath, 'test', timeLimit, ...chosen], {
    cwd: root,
    stdout: 'inherit',
    stderr: 'pipe',
    env: {
      ...{ ...process.env, DATABASE_URL, CORK_TEST_SAMPLE: sample },
      ...(full && { CORK_TEST_FULL: '1' }),
    },
  })
  let text = ''
  const decoder = new TextDecoder()
  for await (const chunk of bun.stderr) {
    process.stderr.write(chunk)
    text += decoder.decode(chunk, { stream: true })
  }
  const count = (word: string) => Number(text.match(new RegExp(`^ *(\\d+) ${word}`, 'm'))?.[1] ?? 0)
  const code = await bun.exited
  const seconds = Math.round((performance.now() - began) / 1000)
  const fails = failsOf(text)
  return {
    passed: count('pass'),
    failed: count('fail'),
    skipped: count('skip'),
    code,
    seconds,
    fails,
  }
}

/** Bun names each file before its tests, and tells all failures again at the end. */
function failsOf(text: string): Map<string, string[]> {
  const fails = new Map<string, string[]>()
  let file = ''
  for (const line of text.split('\n')) {
    if (/^\d+ tests? failed:/.test(line)) break
    file = /^(test\/\S+\.test\.ts):$/.exec(line)?.[1] ?? file
    const name = /^\(fail\) (.+?)(?: \[[\d.]+ms\])?$/.exec(line)?.[1]
    if (name) fails.set(file, [...(fails.get(file) ?? []), name])
  }
  return fails
}
