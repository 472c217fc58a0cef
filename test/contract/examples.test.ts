import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { lint } from '../../scripts/lint-openapi.ts'
import { toArray } from '../../src/kernel/operation.ts'
import { needsBrowser, operations } from '../responses/requests.ts'
import { fetchOpenApi } from './document.ts'
import { bodyName, collectExamples, type Documented } from './examples.ts'

const file = Bun.file(join(import.meta.dir, '../../src/surfaces/openapi/examples.json'))
type Examples = Record<string, { [field: string]: unknown }>

/** One line for each example, so that changes can be read. */
const toText = (examples: object) =>
  `{\n${Object.entries(examples)
    .map(([name, example]) => `  "${name}": ${JSON.stringify(example)}`)
    .join(',\n')}\n}\n`

/** An example is replaced only if its fields change: ids differ in each run. */
const hasSameFields = (before: object | undefined, after: unknown) =>
  !!before && Bun.deepEquals(Object.keys(before), Object.keys(after as object))

if (process.env.CORK_UPDATE)
  test('the examples are collected', async () => {
    const document: Documented = JSON.parse(await fetchOpenApi())
    const before: Examples = await file.json()
    const collected = Object.entries(await collectExamples(document)).map(([name, example]) => [
      name,
      hasSameFields(before[name], example) ? before[name] : example,
    ])
    await file.write(toText(Object.fromEntries(collected)))
  }, 600_000)

test('every example is in the OpenAPI document', async () => {
  const { components } = JSON.parse(await fetchOpenApi())
  const examples: Examples = await file.json()
  for (const [name, example] of Object.entries(examples))
    expect(components.schemas[name]?.examples, name).toEqual([example])
})

test('the linter finds an example that its schema does not allow', async () => {
  const document = JSON.parse(await fetchOpenApi())
  document.components.schemas.LabelInput.examples = [{ name: 7 }]
  const { errors, report } = await lint(JSON.stringify(document))
  expect(errors).toBeGreaterThan(0)
  expect(report).toContain('no-invalid-schema-examples')
})

test('every body with required fields has an example', async () => {
  const document: Documented = JSON.parse(await fetchOpenApi())
  const examples: Examples = await file.json()
  const names = operations
    .filter((op) => !needsBrowser(op))
    .flatMap((op) => toArray(op.on.rest).slice(0, 1))
    .flatMap((route) => bodyName(document, route) ?? [])
  const missing = names.filter(
    (name) => document.components.schemas[name]!.required?.length && !examples[name],
  )
  expect(missing).toEqual([])
})
