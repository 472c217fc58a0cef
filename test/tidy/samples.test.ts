import { expect, test } from 'bun:test'
import { catalog } from '../../src/catalog.ts'
import { expectedFiles, sampleFiles, sampleProblems } from '../support/samples.ts'

const names = catalog.map(({ name }) => name)
const file = 'test/features/boards/labels/samples.ts'
const { 'labels.create': removed, ...rest } = sampleFiles[file]!

test('an operation without a sample is reported with the file to edit', async () => {
  expect(await sampleProblems(names, { ...sampleFiles, [file]: rest })).toEqual([
    `${file} has no entry for the operation labels.create`,
  ])
})

test('a sample without an operation is reported with the file to edit', async () => {
  const samples = { ...sampleFiles[file]!, 'labels.paint': removed! }
  expect(await sampleProblems(names, { ...sampleFiles, [file]: samples })).toEqual([
    `${file} has an entry for labels.paint, which is no operation`,
  ])
})

test('every operation has its sample beside the tests of its noun', async () => {
  const actual = Object.entries(sampleFiles).flatMap(([path, samples]) =>
    Object.keys(samples).map((name) => [name, path] as const),
  )
  expect(new Map(actual)).toEqual(await expectedFiles())
  expect(await sampleProblems(names)).toEqual([])
})
