import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { median } from '../bench/sample.ts'
import { chromium } from '../browser.ts'
import type { Instance } from '../screens/instances.ts'
import type { Row } from './row.ts'

/**
 * Downloaded on demand and no dependency, because with its dependencies it has 176 MB, more than
 * half of everything that would be installed.
 */
const PACKAGE = 'lighthouse@13.5.0'
const CHROME = [
  ...['--headless=new', '--no-sandbox', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
].join(' ')

interface Report {
  categories: Record<string, { score: number | null }>
  environment: { benchmarkIndex: number }
}

/**
 * Lighthouse slows a page down fourfold, which we take to be right for a machine with the index
 * 2000. On a slower machine it would simulate a slower phone, so the factor follows the index.
 */
const PHONE_INDEX = 2000 / 4

const MIN_SCORES = { performance: 0.95, accessibility: 1, 'best-practices': 1 } as const

/** Measures the scores of pages on a simulated phone. Each is the median of several rounds. */
export async function lighthouse(instance: Instance, rounds: number): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'cork-lighthouse-'))
  const cookie = instance.cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  await Bun.write(join(folder, 'headers.json'), JSON.stringify({ Cookie: cookie }))
  const pages = [
    ['board', '/projects/1'],
    ['My Tasks', '/my'],
    ['task', `/t/${instance.key('Exports time out on boards with many tasks')}`],
    ['inbox', '/inbox'],
    ['search', '/search?q=export'],
    ['page', '/p/1'],
    ['agents', '/agents'],
    ['run', '/runs/1'],
    ['reports', '/reports?of=flow'],
    ['settings', '/settings'],
    ['sign-in', '/sign-in'],
  ] as const
  try {
    const rows: Row[] = []
    const run = (path: string, slowdown = 1) =>
      runLighthouse(folder, instance.url + path, path !== '/sign-in', slowdown)
    const indexes = [indexOf(await run('/sign-in'))]
    for (const [name, path] of pages) {
      console.error(`  ${name} …`)
      const reports: Report[] = []
      for (let round = 0; round < rounds; round++) {
        const report = await run(path, median(indexes) / PHONE_INDEX)
        reports.push(report)
        indexes.push(indexOf(report))
      }
      rows.push(...rowsOf(name, reports))
    }
    const figure = 'Lighthouse: its index of this machine'
    return [...rows, { figure, value: median(indexes), unit: '' }]
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const indexOf = ({ environment }: Report) => environment.benchmarkIndex

function rowsOf(name: string, reports: readonly Report[]): Row[] {
  return Object.entries(MIN_SCORES).map(([category, min]) => ({
    ...{ figure: `Lighthouse, ${name}: ${category}`, unit: '', min },
    value: median(reports.map(({ categories }) => categories[category]!.score ?? 0)),
  }))
}

async function runLighthouse(
  folder: string,
  url: string,
  isSignedIn: boolean,
  slowdown: number,
): Promise<Report> {
  const out = join(folder, 'report.json')
  const run = Bun.spawn(
    [
      ...['bunx', PACKAGE, url, '--quiet', '--no-enable-error-reporting'],
      ...[`--chrome-flags=${CHROME}`, '--output=json', `--output-path=${out}`],
      `--only-categories=${Object.keys(MIN_SCORES).join()}`,
      `--throttling.cpuSlowdownMultiplier=${slowdown}`,
      // The live stream never ends. Without this, Lighthouse would wait three times as long.
      '--max-wait-for-load=15000',
      ...(isSignedIn ? [`--extra-headers=${join(folder, 'headers.json')}`] : []),
    ],
    { env: { ...process.env, CHROME_PATH: chromium() }, stdout: 'ignore', stderr: 'pipe' },
  )
  const errors = await new Response(run.stderr).text()
  if ((await run.exited) !== 0) throw new Error(`${PACKAGE} failed: ${errors}`)
  return Bun.file(out).json()
}
