import { expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { ImportProblem } from '../../src/import/problem.ts'
import { type Source, textFile } from '../../src/import/source.ts'
import { csvWith } from '../../src/import/sources/csv/index.ts'
import { SOURCES } from '../../src/import/sources/index.ts'
import { expectAllFields, fixtureFiles, type Reading, readSource } from './read-source.ts'

const FIXTURES = join(import.meta.dir, 'fixtures')

/** Readings that need more than a file of the fixtures. */
const EXTRA: Record<string, (source: Source) => Promise<Reading>> = {
  csv: async () => readSource(csvWith({ Intern: 'ignore' }), await fixtureFiles('csv/boats.csv')),
  todoist: (source) => readSource(source, [textFile('Old.csv', OLD_TODOIST)]),
}
const OLD_TODOIST = 'TYPE,CONTENT,PRIORITY,INDENT,DUE_DATE,DUE_DATE_LANG\ntask,Row,1,1,today,en'

/** The readings of the fixtures that a source recognizes and that are not damaged on purpose. */
async function readingsOf(name: string, source: Source): Promise<Reading[]> {
  const folder = readdirSync(FIXTURES).find((one) => one.replaceAll('-', '') === name)!
  const paths = readdirSync(join(FIXTURES, folder)).map((file) => `${folder}/${file}`)
  const readings: Reading[] = []
  for (const path of paths) {
    const files = await fixtureFiles(path)
    try {
      if (await source.detects(files)) readings.push(await readSource(source, files))
    } catch (error) {
      if (!(error instanceof ImportProblem)) throw error
    }
  }
  const extra = await EXTRA[name]?.(source)
  return extra ? [...readings, extra] : readings
}

test('the fixtures of every source have each field that it declares, and no other', async () => {
  for (const [name, load] of Object.entries(SOURCES)) {
    const source = await load()
    expect(source.name).toBe(name)
    expectAllFields(source, ...(await readingsOf(name, source)))
  }
})

test('a field that no fixture has, or that no source declares, is found', async () => {
  const source = await SOURCES.csv!()
  const readings = await readingsOf('csv', source)
  const withMore = { ...source, fields: { ...source.fields, mood: 'task title' } }
  expect(() => expectAllFields(withMore, ...readings)).toThrow('mood')
  readings[0]!.fields.unknown.set('tide', 1)
  expect(() => expectAllFields(source, ...readings)).toThrow('tide')
})
