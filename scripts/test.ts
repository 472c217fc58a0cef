/**
 * Builds the executable if it is stale, runs the checks and then the tests: on SQLite, then on a
 * temporary PostgreSQL. Of the long suites only a sample runs, always the same one; `--full` runs
 * all of it.
 *
 *   npm test -- [--full] [paths…]
 *
 * CORK_TEST_SKIP names parts to leave out: folders of test/, "check" or "postgres", separated by
 * commas.
 */
import { join } from 'node:path'
import { ensureBrowser } from './browser.ts'
import { build, isStale } from './build.ts'
import { check } from './check.ts'
import { startPostgres } from './postgres.ts'
import { ensureProxies } from './proxies.ts'

const root = join(import.meta.dir, '..')
const full = process.argv.includes('--full')
const paths = process.argv.slice(2).filter((argument) => argument !== '--full')
const skipped = new Set((process.env.CORK_TEST_SKIP ?? '').split(',').filter(Boolean))

/** Tests that use no database, or test SQLite itself. */
const SQLITE_ONLY = [
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

/** Long suites: only one in so many of their files runs, unless --full is given. */
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
/** Suites with files that take minutes. They run only with --full or if they are named. */
const FULL_ONLY = ['test/schemathesis/']

/**
 * The seed of the sample. It is fixed, so that everybody runs the same part of a commit's tests.
 */
const sample = process.env.CORK_TEST_SAMPLE ?? '189573229'
console.log(`Sample ${sample} of the long suites; CORK_TEST_SAMPLE names another one`)

/**
 * Tests with processes and browsers, which time out if the machine stalls for seconds. If one
 * fails, its file runs once more, alone. Only a second failure counts.
 */
const RETRIED = /^(\.\/)?test\/(binary|browser)\//

/** The files to run. Files named on the command line always run. */
function sampleOf(files: readonly string[], engine: 'sqlite' | 'postgres'): string[] {
  if (full || paths.length) return [...files]
  return files.filter((file, at) => {
    if (FULL_ONLY.some((folder) => file.startsWith(folder))) return false
    const sampledFolder = SAMPLED.find(({ folder }) => file.startsWith(folder))
    return !sampledFolder || (at + Number(sample)) % sampledFolder[engine] === 0
  })
}

const partOf = (file: string) => file.split('/').slice(1, -1)[0] ?? 'test'
const testFiles = [...new Bun.Glob('test/**/*.test.ts').scanSync({ cwd: root })].sort()
const parts = [...new Set(testFiles.map(partOf)), 'check', 'postgres']
for (const part of skipped)
  if (!parts.includes(part)) stop(`CORK_TEST_SKIP names no part "${part}"`)

if (isStale()) await build()
// If this fails, the browser tests explain what to do.
if (!skipped.has('browser')) await ensureBrowser()
if (!skipped.has('proxy')) await ensureProxies()
let failed = 0
const checksPassed = paths.length > 0 || skipped.has('check') || (await check())
if (!checksPassed) failed++

const selected = paths.length ? paths : testFiles.filter((file) => !skipped.has(partOf(file)))
const lines: string[] = []
lines.push(summarize('SQLite', await test(sampleOf(selected, 'sqlite').map(asPath), '')))
const onBothEngines = selected.filter(
  (path) => !SQLITE_ONLY.some((prefix) => asPath(path).startsWith(`./${prefix}`)),
)
if (onBothEngines.length && !skipped.has('postgres'))
  lines.push(await testOnPostgres(sampleOf(onBothEngines, 'postgres').map(asPath)))
for (const part of skipped) lines.push(`SKIPPED ${part}: CORK_TEST_SKIP says so`)
if (!checksPassed)
  lines.push('Checks: FAILED, as told at the beginning; npm run check shows them alone')
console.log(lines.join('\n'))
process.exit(failed ? 1 : 0)

function stop(message: string): never {
  console.error(`${message}; there are ${parts.join(', ')}`)
  process.exit(2)
}

/** Prefixes a path with ./, without which Bun treats it as a pattern. */
function asPath(path: string): string {
  return path.startsWith('./') ? path : `./${path}`
}

async function testOnPostgres(files: string[]): Promise<string> {
  try {
    const { url, stop } = await startPostgres()
    try {
      return summarize('PostgreSQL', await test(files, url))
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
  /** The names of failed tests by file. */
  fails: ReadonlyMap<string, readonly string[]>
}

/** Summarizes a run. A run without tests, or one that broke off, counts as failed. */
function summarize(engine: string, counts: Counts): string {
  const { passed, skipped, seconds, code } = counts
  const ranNothing = passed + counts.failed === 0
  const failures = counts.failed || (ranNothing || code !== 0 ? 1 : 0)
  failed += failures
  const note = ranNothing ? '; no test ran, which counts as a failure' : ''
  const names = [...counts.fails].flatMap(([file, fails]) =>
    fails.map((name) => `${file}: ${name}`),
  )
  const summary = [
    `${engine}: ${passed} passed, ${failures} failed, ${skipped} skipped in ${seconds} s${note}`,
  ]
  return [...summary, ...names.map((name) => `  FAILED ${name}`)].join('\n')
}

async function test(selection: string[], DATABASE_URL: string): Promise<Counts> {
  const first = await run(selection, DATABASE_URL)
  const files = [...first.fails.keys()]
  if (!files.length || !files.every((file) => RETRIED.test(file))) return first
  console.log(`Once more, alone: ${files.join(', ')}`)
  const second = await run(files.map(asPath), DATABASE_URL)
  for (const file of files.filter((file) => !second.fails.has(file)))
    for (const name of first.fails.get(file)!)
      lines.push(`UNSTEADY ${file}: ${name} failed at first, and passed alone`)
  return {
    ...second,
    passed: first.passed + (second.code === 0 ? first.failed : 0),
    skipped: first.skipped,
    seconds: first.seconds + second.seconds,
  }
}

/** Runs the tests, passes their output on and parses Bun's summary. */
async function run(files: string[], DATABASE_URL: string): Promise<Counts> {
  const startedAt = performance.now()
  // Single tests of the full suites take minutes.
  const timeLimit = `--timeout=${full ? 900_000 : 60_000}`
  const bun = Bun.spawn([process.execPath, 'test', timeLimit, ...files], {
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
  const seconds = Math.round((performance.now() - startedAt) / 1000)
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

/**
 * Parses failures. Bun prints a file name before its tests, and repeats all failures at the end.
 */
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
