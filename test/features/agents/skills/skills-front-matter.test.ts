import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { slugOf } from '../../../../src/features/agents/skills/model/draft.ts'
import {
  FrontMatterError,
  formatSkillFile,
  parseSkillFile,
} from '../../../../src/features/agents/skills/model/front-matter.ts'
import { faultOf } from '../../../support/faults.ts'
import { startCpuTimer } from '../../../support/time.ts'
import { world } from '../../../support/world.ts'

const read = (head: string, body = 'Do it.') => parseSkillFile(`---\n${head}\n---\n\n${body}`)

/** The line and message of the error for a file that cannot be parsed. */
function problem(text: string): string {
  try {
    parseSkillFile(text)
  } catch (error) {
    if (error instanceof FrontMatterError) return `${error.line}: ${error.message}`
    throw error
  }
  throw new Error('It was read')
}

test('values are parsed plain, quoted, as blocks and over several lines', () => {
  const description = (lines: string) => read(`description: ${lines}`).description
  expect(description('Writes notes # as a comment says')).toBe('Writes notes')
  expect(description('Use it: always')).toBe('Use it: always')
  expect(description("'It''s # no comment' # but this is")).toBe("It's # no comment")
  expect(description('"Two\\nlines, \\u00e9 and \\"words\\""')).toBe('Two\nlines, é and "words"')
  expect(description('>\n  Folded\n  into one.\n\n  And another.')).toBe(
    'Folded into one.\nAnd another.',
  )
  expect(description('|-\n  Kept\n    as it\n  is.')).toBe('Kept\n  as it\nis.')
  expect(description('goes on\n  in the next line')).toBe('goes on in the next line')
  expect(description('~')).toBeUndefined()
  expect(read('argument-hint: [version] [date]').argument_hint).toBe('[version] [date]')
  expect(read('enabled: False').enabled).toBe(false)
})

test('unknown keys are listed and skipped with their values', () => {
  const { unknown, ...rest } = read(
    'name: a\nallowed-tools:\n- Bash\n- Read\nmetadata:\n  author: {deep: [1, 2]}\nversion: &x 1\nslug: b',
  )
  expect(unknown).toEqual(['allowed-tools', 'metadata', 'version'])
  expect(rest).toEqual({ name: 'a', slug: 'b', body: 'Do it.' })
})

test('CRLF line ends and a byte order mark make no difference', () => {
  const text = '\uFEFF---\r\nname: a\r\n---\r\n\r\nOne\r\nTwo\r\n'
  expect(parseSkillFile(text)).toEqual({ name: 'a', body: 'One\nTwo\n', unknown: [] })
})

test('an invalid skill file is refused with the line of the error', () => {
  const cases: [string, string][] = [
    ['# No front matter', '1: The front matter is missing: start with a line ---'],
    ['---\nname: a', '1: The front matter does not end within 300 lines'],
    ['---\nname: a\nno key\n---\nx', '3: Expected "key: value"'],
    ['---\nname: a\nname: b\n---\nx', '3: Duplicate key name'],
    ['---\nname: &a b\n---\nx', '2: Anchors, aliases and tags are not supported'],
    ['---\nname: *a\n---\nx', '2: Anchors, aliases and tags are not supported'],
    ['---\nname: !!str a\n---\nx', '2: Anchors, aliases and tags are not supported'],
    ['---\nname: [a, b]\n---\nx', '2: name must be text; put it in quotes'],
    ['---\nname:\n  - a\n---\nx', '3: name must be text, not a list'],
    ['---\nname: "a\n---\nx', '2: Unterminated quote "'],
    ['---\nname: "a\\q"\n---\nx', '2: Unknown escape \\q'],
    ['---\nname: "\\ud800"\n---\nx', '2: It contains a NUL or an incomplete character'],
    ['---\nenabled: maybe\n---\nx', '2: enabled must be true or false'],
    ['---\nname: |x\n---\nx', '2: A block must start with | or > on its own line'],
    ['---\nname: |\n    a\n  b\n---\nx', '4: This line is indented less than its block'],
  ]
  for (const [text, message] of cases) expect(problem(text)).toBe(message)
})

const line = fc.string({ minLength: 1, maxLength: 60, unit: 'grapheme' }).filter((text) => {
  const plain = text.trim().replace(/\r\n?/g, '\n')
  return plain === text && text.isWellFormed() && !text.includes('\0') && text.length > 0
})

test('property: a formatted skill file parses to the same skill', () => {
  const skill = fc.record({
    ...{ name: line, slug: fc.stringMatching(/^[a-z0-9]+(-[a-z0-9]+)*$/), description: line },
    argument_hint: fc.option(line),
    body: fc.string({ unit: 'grapheme' }).map((text) => text.replace(/\r\n?/g, '\n')),
    enabled: fc.boolean(),
  })
  fc.assert(
    fc.property(skill, (one) => {
      const {
        unknown,
        enabled = true,
        argument_hint = null,
        ...rest
      } = parseSkillFile(formatSkillFile(one))
      expect({ ...rest, enabled, argument_hint } as typeof one).toEqual(one)
      expect(unknown).toEqual([])
    }),
    { numRuns: 500 },
  )
})

test('property: any text is quickly parsed or refused with a FrontMatterError', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      '---',
      '---\n',
      'name: ',
      '"',
      "'",
      '|',
      '>',
      '\n',
      '  ',
      '- ',
      '#',
      '\\',
      '&a',
    ),
    fc.string({ maxLength: 8 }),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      try {
        parseSkillFile(`---\n${pieces.join('')}`)
      } catch (error) {
        expect(error).toBeInstanceOf(FrontMatterError)
      }
    }),
    { numRuns: 2000 },
  )
  for (const text of ['"', "'", ' ', '\\', 'a: ', '[', '# ', '- ']) {
    const elapsedCpu = startCpuTimer()
    problem(`---\nname: ${text.repeat(100_000)}`)
    expect(elapsedCpu()).toBeLessThan(200)
    try {
      parseSkillFile(`---\nname: ${text.repeat(100_000)}\n---\nx`)
    } catch (error) {
      expect(error).toBeInstanceOf(FrontMatterError)
    }
    expect(elapsedCpu()).toBeLessThan(500)
  }
})

test('a slug is derived from the letters and digits of a name', () => {
  expect(slugOf('Release notes, v2!')).toBe('release-notes-v2')
  expect(slugOf('Änderungen für Zoë')).toBe('anderungen-fur-zoe')
  expect(slugOf('日本')).toBeUndefined()
  expect(slugOf(`${'a'.repeat(63)} b`)).toBe('a'.repeat(63))
})

test('skills.get returns the complete file, and a skill created from it is the same', async () => {
  const w = await world()
  const input = {
    ...{ name: 'Release: notes', slug: 'notes', description: 'When "done",\nsay so' },
    ...{ body: '\n# Steps\r\n\r\n1. Look\n', argument_hint: '[version]', enabled: false },
  }
  const { skill_id } = await w.ada['skills.create'](input)
  const skill = await w.ada['skills.get']({ skill_id })
  expect(skill.markdown).toBe(
    '---\nname: "Release: notes"\nslug: notes\ndescription: "When \\"done\\",\\nsay so"\n' +
      'argument-hint: "[version]"\nenabled: false\n---\n\n\n# Steps\n\n1. Look\n',
  )
  await w.ada['skills.delete']({ skill_id })
  const again = await w.ada['skills.create']({ markdown: skill.markdown })
  const { skill_id: _, ...recreated } = await w.ada['skills.get']({ skill_id: again.skill_id })
  expect(recreated).toEqual((({ skill_id: __, ...rest }) => rest)(skill))
})

test('an invalid file is refused with the field and line, and with an example in the hint', async () => {
  const w = await world()
  const fault = await faultOf(w.ada['skills.create']({ markdown: '---\nname: a\n<<<\n---\n\nx' }))
  expect(fault).toMatchObject({
    ...{ code: 'invalid', details: { field: 'markdown', code: 'invalid_format' } },
    ...{ message: 'markdown, line 3: Expected "key: value"' },
    hint: expect.stringContaining('name: Release notes'),
  })
  const both = await faultOf(
    w.ada['skills.create']({ markdown: '---\nname: a\n---\n\nx', slug: 'b' }),
  )
  expect(both.details).toMatchObject({ field: 'slug', code: 'conflict' })
})
