import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { isBrowserSkipped, openWebApp } from './web-app.ts'

describe.skipIf(isBrowserSkipped)('the performance of the web app', () => {
  test('is measured with enough samples; DOM size, JavaScript and other hosts stay within limits', async () => {
    const script = join(import.meta.dir, '../../scripts/figures.ts')
    const run = Bun.spawn([process.execPath, script, '--quick'], { stdout: 'pipe', stderr: 'pipe' })
    const [out, err] = await Promise.all([
      new Response(run.stdout).text(),
      new Response(run.stderr).text(),
    ])
    await run.exited
    const lines = out.split('\n')
    const lineOf = (label: string) =>
      lines.find((line) => line.includes(label)) ?? `${label}: ${err}`
    // Times vary with the load of the machine, so only sample counts and fixed limits are checked.
    for (const [label, minimum] of [
      ['key to paint', 20],
      ['drop to paint, by mouse', 2],
      ['Shift + arrow to paint', 2],
      ['character to paint', 8],
      ["an agent's call to painted", 3],
    ] as const) {
      const [, samples] = / ms +(\d+) /.exec(`${lineOf(label)} `) ?? []
      expect([label, Number(samples) >= minimum, lineOf(label)]).toEqual([
        label,
        true,
        lineOf(label),
      ])
    }
    for (const label of ['maximum in the document', 'foreign requests', 'JavaScript'])
      expect(lineOf(label)).toEndWith(' ok')
  })

  test('preloads the context and the board, and requests each only once', async () => {
    const app = await openWebApp()
    try {
      const { page, problems, go } = await app.openSession()
      await app.createTask({ title: 'Write the invitation' })
      const requests: [string, string][] = []
      page.on('request', (request) =>
        requests.push([new URL(request.url()).pathname, request.resourceType()]),
      )
      await go(`/projects/${app.project_id}`)
      await page.getByText('Write the invitation').waitFor()
      // A preload has the type `other`; a request of the app itself would be a `fetch`.
      for (const path of ['/api/v1/user/context', `/api/v1/projects/${app.project_id}/board`])
        expect(requests.filter(([one]) => one === path)).toEqual([[path, 'other']])
      expect(problems).toEqual([])
    } finally {
      await app.close()
    }
  })
})
