import { expect, test } from 'bun:test'
import { Type as t } from '@sinclair/typebox'
import { Fault } from '../../src/kernel/fault.ts'
import { validate } from '../../src/kernel/validate.ts'

const Form = t.Object(
  {
    title: t.String({ minLength: 1, maxLength: 20 }),
    priority: t.Optional(t.Integer({ minimum: 0, maximum: 4 })),
    due: t.Optional(
      t.Union([
        t.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', description: 'A day, as 2026-12-31' }),
        t.Null(),
      ]),
    ),
    status: t.Optional(t.Union([t.Literal('Normal'), t.Literal('Archive')])),
    tags: t.Optional(
      t.Array(
        t.Object(
          {
            until: t.Union([t.String({ description: 'A day, or null' }), t.Null()]),
            name: t.Optional(t.String()),
          },
          { additionalProperties: false },
        ),
        { maxItems: 2 },
      ),
    ),
    who: t.Optional(t.Union([t.Integer({ minimum: 1 }), t.Array(t.Integer())])),
  },
  { additionalProperties: false },
)

const refusalOf = (input: unknown) => {
  try {
    validate(Form, input)
  } catch (error) {
    if (error instanceof Fault)
      return { ...error.details, message: error.message, hint: error.hint }
    throw error
  }
  return undefined
}

test('valid input is accepted', () => {
  expect(
    refusalOf({
      title: 'Logo',
      priority: 4,
      due: null,
      status: 'Archive',
      tags: [{ name: 'x', until: null }],
      who: [1],
    }),
  ).toBeUndefined()
})

const cases: [string, unknown, object][] = [
  ['a missing field', {}, { field: 'title', code: 'required' }],
  [
    'an empty text',
    { title: '' },
    {
      ...{ field: 'title', code: 'required' },
      hint: 'Enter at least one letter, digit or symbol',
    },
  ],
  [
    'a missing field that may be null',
    { title: 'a', tags: [{}] },
    { field: 'tags.0.until', code: 'required', hint: 'A day, or null' },
  ],
  ['null instead of text', { title: null }, { field: 'title', code: 'required' }],
  [
    'text instead of a number',
    { title: 'a', priority: '3' },
    { field: 'priority', code: 'invalid_type', value: '3' },
  ],
  [
    'a number out of range',
    { title: 'a', priority: 9 },
    {
      field: 'priority',
      code: 'out_of_range',
      value: 9,
      message: 'priority must be between 0 and 4',
    },
  ],
  ['a fraction', { title: 'a', priority: 1.5 }, { field: 'priority', code: 'invalid_type' }],
  ['a text that is too long', { title: 'x'.repeat(21) }, { field: 'title', code: 'too_long' }],
  [
    'a malformed date',
    { title: 'a', due: 'soon' },
    { field: 'due', code: 'invalid_format', hint: 'A day, as 2026-12-31' },
  ],
  [
    'an unknown option',
    { title: 'a', status: 'Gone' },
    { field: 'status', code: 'out_of_range', message: 'status must be one of Normal, Archive' },
  ],
  [
    'a misspelt field',
    { titel: 'a' },
    { field: 'titel', code: 'unknown_field', hint: 'Did you mean title?' },
  ],
  [
    'an unknown nested field',
    { title: 'a', tags: [{ name: 'x', nmae: 1 }] },
    { field: 'tags.0.nmae', code: 'unknown_field', hint: 'Did you mean name?' },
  ],
  [
    'too many entries',
    { title: 'a', tags: [{ name: 'x' }, { name: 'y' }, { name: 'z' }] },
    { field: 'tags', code: 'too_long' },
  ],
  [
    'an invalid entry of a list in a union',
    { title: 'a', who: ['x'] },
    { field: 'who.0', code: 'invalid_type' },
  ],
  ['a NUL character', { title: 'a\0' }, { field: 'title', code: 'invalid_format' }],
  ['half a surrogate pair', { title: 'a\ud800' }, { field: 'title', code: 'invalid_format' }],
  ['a list instead of an object', [], { code: 'invalid_type' }],
  ['null instead of an object', null, { code: 'invalid_type' }],
]
for (const [name, input, details] of cases)
  test(`${name} is refused with the field and the reason`, () => {
    expect(refusalOf(input)).toMatchObject(details)
  })

test('a long refused value is truncated in the error', () => {
  const details = refusalOf({ title: 'x'.repeat(100_000) })
  expect(JSON.stringify(details).length).toBeLessThan(500)
})
