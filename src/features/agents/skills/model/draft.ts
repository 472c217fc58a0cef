import { fault } from '../../../../kernel/fault.ts'
import { cleanName } from '../../../boards/projects/model/index.ts'
import {
  FrontMatterError,
  normalizeLineEnds,
  parseSkillFile,
  type SkillFile,
} from './front-matter.ts'
import { MOST, type SkillInput, SLUG } from './schema.ts'

/** The content of a skill to be saved. */
export interface Draft {
  slug: string
  name: string
  description: string
  argument_hint: string | null
  body: string
  enabled: boolean
}

export const FIELDS = ['slug', 'name', 'description', 'argument_hint', 'body', 'enabled'] as const

/** Undefined if the name has no character that a slug can have. */
export const slugOf = (name: string): string | undefined =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MOST.slug)
    .replace(/^-|-$/g, '') || undefined

/** Invisible tag characters, except in flag emoji. */
const INVISIBLE = /(?<!\u{1F3F4}[\u{E0020}-\u{E007F}]{0,12})[\u{E0000}-\u{E007F}]/u

/** The first problem of a skill file, if any; the same rules as for the fields of the input. */
export function problemIn(matter: SkillFile): string | undefined {
  const { name = matter.slug, slug, description = '', argument_hint = '', body } = matter
  if (!name) return 'name is missing'
  if (name.length > MOST.name) return `name has more than ${MOST.name} characters`
  if (slug !== undefined && !isSlug(slug))
    return 'slug must be lowercase letters and digits, separated by single dashes'
  if (slug === undefined && !slugOf(name))
    return 'slug is required, because none can be derived from the name'
  if (description.length > MOST.description)
    return `description has more than ${MOST.description} characters`
  if (argument_hint.length > MOST.argument_hint)
    return `argument-hint has more than ${MOST.argument_hint} characters`
  if (!body.trim()) return 'The text below the front matter is empty'
  if (body.length > MOST.body) return `The text has more than ${MOST.body} characters`
  if ([name, description, argument_hint, body].some((text) => INVISIBLE.test(text)))
    return 'It contains invisible characters that a model would read'
  return undefined
}

export const isSlug = (text: string) => text.length <= MOST.slug && new RegExp(SLUG).test(text)

/** Requires a file in which `problemIn` has found nothing. */
export const draftOf = (matter: SkillFile): Draft => {
  const name = cleanName('name', matter.name ?? matter.slug!)
  return {
    name,
    slug: matter.slug ?? slugOf(name)!,
    description: matter.description ?? '',
    argument_hint: matter.argument_hint ?? null,
    body: matter.body,
    enabled: matter.enabled ?? true,
  }
}

export interface ParsedSkill {
  given: Partial<Draft>
  /** Keys of the file that are not known. */
  unknown: string[]
}

/** Reads the input of a skill, given as fields or as a file. */
export function readInput({ markdown, name, slug, body, ...more }: SkillInput): ParsedSkill {
  if (markdown === undefined) {
    const given = {
      ...(name !== undefined && { name: cleanName('name', name) }),
      ...(slug !== undefined && { slug }),
      ...(body !== undefined && { body: textIn(body) }),
    }
    return { given: { ...given, ...cleanFields(more) }, unknown: [] }
  }
  const beside = Object.entries({ name, slug, body }).find(([, value]) => value !== undefined)?.[0]
  if (beside)
    throw fault.invalid(
      beside,
      'conflict',
      `${beside} cannot be combined with markdown, which already includes it`,
      undefined,
      'Send either markdown, or name, slug and body',
    )
  const matter = parseFile(markdown)
  const { slug: givenSlug, enabled, ...draft } = draftOf(matter)
  return {
    given: {
      ...draft,
      ...(matter.slug !== undefined && { slug: givenSlug }),
      ...(matter.enabled !== undefined && { enabled }),
      ...cleanFields(more),
    },
    unknown: matter.unknown,
  }
}

function cleanFields({ description, argument_hint, enabled }: SkillInput): Partial<Draft> {
  return {
    ...(description !== undefined && { description: normalizeLineEnds(description).trim() }),
    ...(argument_hint !== undefined && { argument_hint: argument_hint?.trim() || null }),
    ...(enabled !== undefined && { enabled }),
  }
}

function textIn(body: string): string {
  if (body.trim()) return normalizeLineEnds(body)
  throw fault.invalid(
    'body',
    'required',
    'body must not be empty',
    body,
    'Write the instructions of the skill',
  )
}

const EXAMPLE =
  'Start the file like this: ---\\nname: Release notes\\ndescription: …\\n---\\n\\nDo this …'

function parseFile(markdown: string): SkillFile {
  try {
    const matter = parseSkillFile(markdown)
    const problem = problemIn(matter)
    if (!problem) return matter
    throw new FrontMatterError(1, problem)
  } catch (error) {
    if (!(error instanceof FrontMatterError)) throw error
    const { line, message } = error
    throw fault.invalid(
      'markdown',
      'invalid_format',
      `markdown, line ${line}: ${message}`,
      undefined,
      EXAMPLE,
    )
  }
}
