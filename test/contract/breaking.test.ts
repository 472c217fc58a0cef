import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'bun'
import { breakingChanges, type OpenApi } from './breaking.ts'
import { fetchOpenApi } from './document.ts'

/** The document of the last release. `CORK_RELEASED=1` replaces it, right after a release. */
const released = Bun.file(join(import.meta.dir, 'snapshots/openapi-released.json.gz'))

/** Breaks since that release, each with its reason. The changelog names them too. */
const ACCEPTED: Record<string, string> = {}

const readCurrent = async (): Promise<OpenApi> => JSON.parse(await fetchOpenApi())
const readReleased = async (): Promise<OpenApi> =>
  JSON.parse(new TextDecoder().decode(gunzipSync(await released.bytes())))

test('the API breaks no client of the last release, except on purpose', async () => {
  if (process.env.CORK_RELEASED) await released.write(gzipSync(await fetchOpenApi()))
  const found = breakingChanges(await readReleased(), await readCurrent())
  expect(found, 'Keep the old form as well, or add the reason to ACCEPTED').toEqual(
    Object.keys(ACCEPTED),
  )
})

type Schemas = Record<string, { properties: Record<string, object>; required: string[] }>

const CHANGES: [string, (document: OpenApi, schemas: Schemas) => void, string[]][] = [
  [
    'a removed route',
    ({ paths }) => {
      delete paths['/api/v1/tasks/{task}']!.get
    },
    ['GET /api/v1/tasks/{task} was removed'],
  ],
  [
    'a removed field of a response',
    (_, { SharedText }) => {
      delete SharedText!.properties.version
    },
    ['.data.version is no longer returned'],
  ],
  [
    'a field of a response that may be missing',
    (_, { SharedText }) => {
      SharedText!.required = SharedText!.required.filter((name) => name !== 'version')
    },
    ['.data.version may be missing'],
  ],
  [
    'a field of a body that became required',
    (_, { LabelUpdateInput }) => {
      LabelUpdateInput!.required = ['name']
    },
    ['body.name became required'],
  ],
  [
    'a field of a body with another type',
    (_, { LabelUpdateInput }) => {
      LabelUpdateInput!.properties.name = { type: 'integer' }
    },
    ['body.name has another type'],
  ],
  [
    'a word that is no longer accepted',
    (_, { TaskMoveInput }) => {
      TaskMoveInput!.properties.target_section_id = { type: 'integer', enum: [1] }
    },
    ['body.target_section_id no longer accepts every value'],
  ],
]

for (const [name, change, expected] of CHANGES)
  test(`the comparison finds ${name}`, async () => {
    const before = await readCurrent()
    const after = structuredClone(before)
    change(after, after.components.schemas as unknown as Schemas)
    const found = breakingChanges(before, after)
    for (const part of expected)
      expect(
        found.some((one) => one.includes(part)),
        found.join('\n'),
      ).toBe(true)
  })

test('new routes, optional fields and new words of responses break nothing', async () => {
  const before = await readCurrent()
  const after = structuredClone(before)
  const { LabelUpdateInput, Label, TaskRow } = after.components.schemas as unknown as Schemas
  after.paths['/api/v1/new'] = after.paths['/api/v1/tasks']!
  LabelUpdateInput!.properties.shape = { type: 'string' }
  Label!.properties.shape = { type: 'string' }
  const status = TaskRow!.properties.status as { enum: string[] }
  status.enum.push('Frozen')
  expect(breakingChanges(before, after)).toEqual([])
})
