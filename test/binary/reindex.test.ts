import { afterAll, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cleanUp, createFolder, sendRequest } from './cork.ts'
import { exportLines, exportText } from './export-lines.ts'
import { createInstallation, type Installation } from './installation.ts'

afterAll(cleanUp)

const TASKS = 250

/** The number of tasks that contain a word, once the index is complete. */
async function countMatches(
  installation: Installation,
  key: string,
  query: string,
): Promise<number> {
  const server = await installation.serve()
  try {
    for (;;) {
      const path = `/api/v1/search/tasks?query=${encodeURIComponent(query)}`
      const { body } = await sendRequest(server.url, key, 'GET', path)
      if (!body.warnings) return body.page.total
      expect(body.warnings[0].code).toBe('incomplete')
      await Bun.sleep(50)
    }
  } finally {
    expect(await server.end()).toBe(0)
  }
}

const doctor = async (installation: Installation) =>
  (await installation.run(['doctor'])).out.split('\n').filter((line) => line.includes('text index'))

test('imported tasks are found, also after a restore of their backup and after cork reindex', async () => {
  const source = await createInstallation()
  const { api_key } = await source.init()
  const exportFile = join(createFolder(), 'team.jsonl')
  writeFileSync(exportFile, exportText(exportLines(TASKS)))
  await source.runJson(['import', exportFile])
  const count = await countMatches(source, api_key, 'task')
  expect(count).toBeGreaterThan(TASKS / 2)
  const [summary] = await doctor(source)
  expect(summary).toContain('ok       text index: has all')

  const file = join(createFolder(), 'b.backup')
  await source.runJson(['backup', file])
  const target = await createInstallation()
  await target.runJson(['restore', file])
  expect(await countMatches(target, api_key, 'task')).toBe(count)
  expect(await doctor(target)).toEqual([summary!])
  const { tasks } = await target.runJson(['reindex'])
  expect(summary).toContain(`has all ${tasks} tasks`)
  expect(await countMatches(target, api_key, 'task')).toBe(count)
})
