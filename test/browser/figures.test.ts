import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { noBrowser, openDesk } from './desk.ts'

describe.skipIf(noBrowser)('the figures of the web app', () => {
  test('are measured and told in one table', async () => {
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
    // Times on a machine with other things to do are for reading; what does not hang on them holds.
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

  test('begin with the first answers under way before the app is there, each asked for once', async () => {
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
      // What the app asks for itself is a fetch.
      for (const path of ['/api/v1/user/context', `/api/v1/projects/${desk.project_id}/board`])
        expect(asked.filter(([one]) => one === path)).toEqual([[path, 'other']])
      expect(complaints).toEqual([])
    } finally {
      await desk.leave()
    }
  }, 60_000)
})
