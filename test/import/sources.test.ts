import { expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { defaultMapping, previewPlan } from '../../src/import/mapping.ts'
import { detect } from '../../src/import/open.ts'
import { planImport } from '../../src/import/plan.ts'
import { ImportProblem } from '../../src/import/problem.ts'
import { sendRecords } from '../../src/import/send.ts'
import { FakeServer } from './fake-server.ts'
import { fixtureFiles } from './read-source.ts'

const FIXTURES = join(import.meta.dir, 'fixtures')

/** Imports files into a server in memory. Returns the name of their source, if there is one. */
async function importAll(path: string): Promise<string[]> {
  const files = await fixtureFiles(path)
  try {
    const source = await detect(files)
    const plan = await planImport(source, files)
    const api = new FakeServer()
    const mapping = defaultMapping(plan, await previewPlan(api, plan, 1))
    const summary = await sendRecords({ source, files, plan, mapping, api, team_id: 1 })
    expect([path, summary.stopped, summary.failedFiles]).toEqual([path, false, []])
    return [source.name]
  } catch (error) {
    // Some fixtures are damaged on purpose.
    if (error instanceof ImportProblem) return []
    throw error
  }
}

test('the fixtures of every source are planned and sent without a refusal', async () => {
  for (const folder of readdirSync(FIXTURES)) {
    const imported: string[] = []
    for (const name of readdirSync(join(FIXTURES, folder)))
      imported.push(...(await importAll(`${folder}/${name}`)))
    expect([folder, imported.length]).not.toEqual([folder, 0])
  }
})
