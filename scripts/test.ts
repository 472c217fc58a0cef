/**
 * Builds the executable if it is older than its sources, checks the code and runs the tests: every
 * file on SQLite, then some folders again on a temporary PostgreSQL. The same commit always runs the
 * same tests.
 *
 *   npm test -- [--full] [--changed] [paths…]
 *
 * --full runs long suites with their full counts, on both databases. --changed runs the files that
 * import something that differs from the last commit. CORK_TEST_SEED sets another seed.
 * CORK_TEST_SKIP lists parts to skip, separated by commas: folders of test/, "check", "sqlite" or
 * "postgres".
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { decodeXML as decode } from 'entities'
import { ensureBrowser } from './browser.ts'
import { build, isStale } from './build.ts'
import { check } from './check.ts'
import { ensureFirefox } from './firefox.ts'
import { startPostgres } from './postgres.ts'
import { ensureProxies } from './proxies.ts'

/** The folders that `npm test` also runs on PostgreSQL. */
const ON_POSTGRES = ['access', 'features', 'oidc', 'parity', 'store', 'surfaces']

/** Tests that need no database, or that test SQLite itself. */
const SQLITE_ONLY = [
  'test/ai/',
  'test/apprise/',
  'test/bench/',
  'test/browser/',
  'test/content/',
  'test/clients/',
  'test/contract/',
  'test/converters/',
  'test/dex/',
  'test/fetch/',
  'test/files/',
  'test/firefox/',
  'test/generators/',
  'test/gitea/',
  'test/keycloak/',
  'test/n8n/',
  'test/ntfy/',
  'test/pages/',
  'test/proxy/',
  'test/schemathesis/',
  'test/search/',
  'test/server/',
  'test/tidy/',
  'test/binary/conformance.test.ts',
  'test/binary/install.test.ts',
  'test/binary/readme.test.ts',
  'test/binary/release.test.ts',
  'test/crash/faults.test.ts',
  'test/crash/starts.test.ts',
  'test/store/migrate.test.ts',
  'test/store/plans.test.ts',
  'test/store/read-plans.test.ts',
  'test/store/queue.test.ts',
  'test/store/errors.test.ts',
]

/** Tests of PostgreSQL itself. */
const POSTGRES_ONLY = ['test/store/read-rows.test.ts', 'test/surfaces/replicas.test.ts']

/** These download servers, packages and a browser: only with --full, or when their path is given. */
const FULL_ONLY = [
  ...[
    'apprise',
    'converters',
    'dex',
    'firefox',
    'gitea',
    'generators',
    'keycloak',
    'n8n',
    'ntfy',
    'packages',
    'schemathesis',
  ],
]

/** More than cores, because tests often wait for a browser or a server. */
const PROCESSES_PER_CORE = 1.5
/** With more processes, there would be too few connections to PostgreSQL for each. */
const MAX_PROCESSES = 8
const SLOWEST_COUNT = 10
const ERROR_LINES = 15

const root = join(import.meta.dir, '..')
/** The durations of the last run, so that the slowest files start first. */
const TIMINGS = join(root, '.tools/test-timings.json')

const { values: flags, positionals: paths } = parseArgs({
  args: process.argv.slice(2),
  allowPositionals: true,
  options: { full: { type: 'boolean' }, changed: { type: 'boolean' } },
})
const skipped = new Set((process.env.CORK_TEST_SKIP ?? '').split(',').filter(Boolean))
const folderOf = (file: string) => file.split('/')[1]!
const files = [...new Bun.Glob('test/**/*.test.ts').scanSync({ cwd: root })].sort()
const parts = [...new Set(files.map(folderOf)), 'check', 'sqlite', 'postgres']
for (const part of skipped)
  if (!parts.includes(part))
    stop(`CORK_TEST_SKIP names no part "${part}"; there are ${parts.join(', ')}`)

const seed = process.env.CORK_TEST_SEED ?? '1'
console.log(`Seed ${seed}; set CORK_TEST_SEED for another one`)
if (isStale()) await build()
// If the installation fails, the browser tests fail with a message that says what to do.
if (!skipped.has('browser')) await ensureBrowser()
if (!skipped.has('proxy')) await ensureProxies()
const isChecked = paths.length > 0 || skipped.has('check') || (await check())

const selected = selectedFiles()
if (selected.some((file) => folderOf(file) === 'firefox')) await ensureFirefox()
const lines = [...(await runOnSqlite()), ...(await runOnPostgres())]
for (const part of skipped) lines.push(`SKIPPED ${part}, because CORK_TEST_SKIP contains it`)
if (!isChecked) lines.push('FAILED check: see above, or run npm run check')
console.log(lines.join('\n'))
process.exit(lines.some((line) => line.startsWith('FAILED')) ? 1 : 0)

function stop(message: string): never {
  console.error(message)
  process.exit(2)
}

function selectedFiles(): string[] {
  if (paths.length) return paths.flatMap(filesAt)
  const excluded = [...skipped, ...(flags.full ? [] : FULL_ONLY)]
  return files.filter((file) => !excluded.includes(folderOf(file)))
}

/** The test files at a path, which is that of a file or of a folder. */
function filesAt(path: string): string[] {
  const name = path.replace(/^\.\/|\/$/g, '')
  const found = files.filter((file) => file === name || file.startsWith(`${name}/`))
  return found.length ? found : stop(`There is no test at ${path}`)
}

async function runOnSqlite(): Promise<string[]> {
  const onSqlite = selected.filter((file) => !POSTGRES_ONLY.includes(file))
  return !onSqlite.length || skipped.has('sqlite') ? [] : run('SQLite', onSqlite, '')
}

async function runOnPostgres(): Promise<string[]> {
  const isEverything = flags.full || paths.length > 0
  const shared = selected.filter(
    (file) =>
      !SQLITE_ONLY.some((path) => `${file}/`.startsWith(path)) &&
      (isEverything || ON_POSTGRES.includes(folderOf(file))),
  )
  if (!shared.length || skipped.has('postgres')) return []
  try {
    const { url, stop } = await startPostgres()
    return await run('PostgreSQL', shared, url).finally(stop)
  } catch (error) {
    return [`FAILED PostgreSQL: no test was run. ${(error as Error).message}`]
  }
}

/** Runs tests and prints their output. Returns lines with counts, failures and slowest files. */
async function run(engine: string, testFiles: string[], DATABASE_URL: string): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'cork-tests-'))
  const report = join(folder, 'report.xml')
  const startedAt = performance.now()
  const bun = Bun.spawn(
    [process.execPath, 'test', ...options(report), ...testFiles.map(relativePath)],
    {
      cwd: root,
      stdio: ['ignore', 'inherit', 'pipe'],
      env: { ...process.env, DATABASE_URL, ...(flags.full && { CORK_TEST_FULL: '1' }) },
    },
  )
  const uncaught = await printAndFindUncaughtErrors(bun.stderr)
  const code = await bun.exited
  const seconds = Math.round((performance.now() - startedAt) / 1000)
  const xml = existsSync(report) ? readFileSync(report, 'utf8') : ''
  rmSync(folder, { recursive: true })
  return summary({ engine, code, seconds, xml, uncaught })
}

/** Prints the output of Bun as it arrives. Returns each error that occurred outside a test. */
async function printAndFindUncaughtErrors(output: ReadableStream<Uint8Array>): Promise<string[]> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of output) {
    process.stderr.write(chunk)
    text += decoder.decode(chunk, { stream: true })
  }
  // A heading names the file before the error, which is between two dashed lines.
  const errors = text.matchAll(/^# Unhandled error between tests\n-+\n([\s\S]*?)^-{20,}$/gm)
  return [...errors].map(({ 1: error, index }) => {
    const heading = text
      .slice(0, index)
      .match(/^test\/.*:$/gm)
      ?.at(-1)
    return [`${heading} an error outside the tests`, ...firstLines(error!)].join('\n    ')
  })
}

function options(report: string): string[] {
  return [
    `--parallel=${Math.min(Math.ceil(availableParallelism() * PROCESSES_PER_CORE), MAX_PROCESSES)}`,
    // The files that a process runs share modules, because loading them again takes too long.
    '--no-isolate',
    `--timings=${TIMINGS}`,
    '--update-timings',
    `--timeout=${flags.full ? 900_000 : 600_000}`,
    '--reporter=junit',
    `--reporter-outfile=${report}`,
    ...(flags.changed ? ['--changed', '--pass-with-no-tests'] : []),
  ]
}

/** Bun takes a name without "./" for a pattern. */
function relativePath(path: string): string {
  return `./${path}`
}

interface Outcome {
  engine: string
  code: number
  seconds: number
  /** Bun's report in JUnit format; empty if Bun crashed. */
  xml: string
  /** Errors outside tests, which the report does not contain. */
  uncaught: string[]
}

/** Summarizes a run. If no test ran or Bun crashed, the run has failed. */
function summary({ engine, code, seconds, xml, uncaught }: Outcome): string[] {
  const total = (name: string) =>
    Number(xml.match(new RegExp(`<testsuites .*${name}="(\\d+)"`))?.[1])
  const [tests, failures, skips] = [total('tests'), total('failures'), total('skipped')]
  const failed = [...failuresIn(xml), ...uncaught]
  if (!tests && !flags.changed) failed.push(`no test ran; Bun ended with ${code}`)
  else if (code !== 0 && !failed.length) failed.push(`Bun ended with ${code}`)
  const passed = tests - failures - skips
  const slowest = [...xml.matchAll(/^ {2}<testsuite name="([^"]+)".* time="([\d.]+)"/gm)]
    .map(([, file, time]) => ({ file, seconds: Math.round(Number(time)) }))
    .toSorted((a, b) => b.seconds - a.seconds)
    .slice(0, SLOWEST_COUNT)
  return [
    `${engine}: ${passed} passed, ${failures} failed, ${skips} skipped in ${seconds} s`,
    `  slowest: ${slowest.map((one) => `${one.file} ${one.seconds} s`).join(', ')}`,
    ...failed.map((failure) => `FAILED ${engine}: ${failure}`),
  ]
}

/** The names of failed tests, each with the first lines of its error. */
function failuresIn(xml: string): string[] {
  const cases = xml.matchAll(
    /<testcase name="([^"]*)"[^>]* file="([^"]*)"[^>]*>\s*<failure[^>]*>([^<]*)/g,
  )
  return [...cases].map(([, name, file, error]) => {
    return [`${file}: ${decode(name!)}`, ...firstLines(decode(error!))].join('\n    ')
  })
}

function firstLines(error: string): string[] {
  return error.trim().split('\n').slice(0, ERROR_LINES)
}
