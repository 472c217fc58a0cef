import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { noBrowser, openDesk } from './desk.ts'

describe.skipIf(noBrowser)('the performance of the web app', () => {
  test('is measured with enough samples; DOM size, JavaScript and other hosts stay within limits', async () => {
    const script = join(import.meta.dir, '../../scripts/figures.ts')
    const run = Bun.spawn([process.execPath, script, '--quick'], { stdout: 'pipe', stderr: 'pipe' })
    const [out, err] = await Promise.all([
      new Response(run.stdout).text(),
      new Response(run.stderr).text(),
    ])
    await run.exited
    const lines = out.split('\n')
    const lineOf = (words: string) =>
      lines.find((line) => line.includes(words)) ?? `${words}: ${err}`
    // Times vary with the load of the machine, so only sample counts and fixed limits are checked.
    for (const [words, least] of [
      ['key to paint', 20],
      ['drop to paint, by mouse', 2],
      ['Shift + arrow to paint', 2],
      ['letter to paint', 8],
      ["an agent's call to painted", 3],
    ] as const) {
      const [, samples] = / ms +(\d+) /.exec(`${lineOf(words)} `) ?? []
      expect([words, Number(samples) >= least, lineOf(words)]).toEqual([words, true, lineOf(words)])
    }
    for (const words of ['most in the document', 'strangers', 'JavaScript'])
      expect(lineOf(words)).toEndWith(' ok')
  }, 120_000)

  test('preloads the context and the board, and requests each only once', async () => {
    const desk = await openDesk()
    try {
      const { page, complaints, go } = await desk.sit()
      await desk.create({ title: 'Write the invitation' })
      const asked: [string, string][] = []
      page.on('request', (request) =>
        asked.push([new URL(request.url()).pathname, request.resourceType()]),
      )
      await go(`/projects/${desk.project_id}`)
      await page.getByText('Write the invitation').waitFor()
      // A preload has the type `other`; a request of the app itself would be a `fetch`.
      for (const path of ['/api/v1/user/context', `/api/v1/projects/${desk.project_id}/board`])
        expect(asked.filter(([one]) => one === path)).toEqual([[path, 'other']])
      expect(complaints).toEqual([])
    } finally {
      await desk.leave()
    }
  }, 60_000)
})
