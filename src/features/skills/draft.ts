import { fault } from '../../kernel/fault.ts'
import { nameOf } from '../projects/index.ts'
import { BadMatter, type Matter, readMatter, unixed } from './matter.ts'
import { MOST, type Said, SLUG } from './schema.ts'

/** A skill as somebody wants it. */
export interface Draft {
  slug: string
  name: string
  description: string
  argument_hint: string | null
  body: string
  enabled: boolean
}

export const FIELDS = ['slug', 'name', 'description', 'argument_hint', 'body', 'enabled'] as const

/** Nothing where the name has no letter or digit that a slug can have. */
export const slugOf = (name: string): string | undefined =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MOST.slug)
    .replace(/^-|-$/g, '') || undefined

/** Letters without a shape, but for those that make a flag. */
const UNSEEN = /(?<!\u{1F3F4}[\u{E0020}-\u{E007F}]{0,12})[\u{E0000}-\u{E007F}]/u

/** What is wrong with a file of a skill, if anything is: what a field of an input would be told. */
export function problemIn(matter: Matter): string | undefined {
  const { name = matter.slug, slug, description = '', argument_hint = '', body } = matter
  if (!name) return 'It says no name'
  if (name.length > MOST.name) return `name has more than ${MOST.name} characters`
  if (slug !== undefined && !isSlug(slug))
    return 'slug must be lower case letters and digits, with single dashes between them'
  if (slug === undefined && !slugOf(name)) return 'No slug can be made from its name: say slug'
  if (description.length > MOST.description)
    return `description has more than ${MOST.description} characters`
  if (argument_hint.length > MOST.argument_hint)
    return `argument-hint has more than ${MOST.argument_hint} characters`
  if (!body.trim()) return 'Below its front matter stands no text'
  if (body.length > MOST.body) return `Its text has more than ${MOST.body} characters`
  if ([name, description, argument_hint, body].some((text) => UNSEEN.test(text)))
    return 'It holds signs that a model reads and nobody sees'
  return undefined
}

export const isSlug = (text: string) => text.length <= MOST.slug && new RegExp(SLUG).test(text)

/** A file in which `problemIn` found nothing. */
export const draftOf = (matter: Matter): Draft => {
  const name = nameOf('name', matter.name ?? matter.slug!)
  return {
    ...{ name, slug: matter.slug ?? slugOf(name)! },
    description: matter.description ?? '',
    argument_hint: matter.argument_hint ?? null,
    ...{ body: matter.body, enabled: matter.enabled ?? true },
  }
}

export interface Read {
  given: Partial<Draft>
  /** Keys of the file that mean nothing here. */
  unknown: string[]
}

/** What was said of a skill, be it field by field or as a file. */
export function readSaid({ markdown, name, slug, body, ...more }: Said): Read {
  if (markdown === undefined) {
    const given = {
      ...(name !== undefined && { name: nameOf('name', name) }),
      ...(slug !== undefined && { slug }),
      ...(body !== undefined && { body: textIn(body) }),
    }
    return { given: { ...given, ...tidied(more) }, unknown: [] }
  }
  const beside = Object.entries({ name, slug, body }).find(([, value]) => value !== undefined)?.[0]
  if (beside)
    throw fault.invalid(
      beside,
      'conflict',
      `${beside} cannot stand beside markdown, which says it too`,
      undefined,
      'Send either the file as markdown, or name, slug and body',
    )
  const matter = fileIn(markdown)
  const { slug: own, enabled, ...draft } = draftOf(matter)
  return {
    given: {
      ...draft,
      ...(matter.slug !== undefined && { slug: own }),
      ...(matter.enabled !== undefined && { enabled }),
      ...tidied(more),
    },
    unknown: matter.unknown,
  }
}

function tidied({ description, argument_hint, enabled }: Said): Partial<Draft> {
  return {
    ...(description !== undefined && { description: unixed(description).trim() }),
    ...(argument_hint !== undefined && { argument_hint: argument_hint?.trim() || null }),
    ...(enabled !== undefined && { enabled }),
  }
}

function textIn(body: string): string {
  if (body.trim()) return unixed(body)
  throw fault.invalid('body', 'required', 'body must not be empty', body, 'Say what is to be done')
}

const EXAMPLE =
  'Begin it like this: ---\\nname: Release notes\\ndescription: …\\n---\\n\\nDo this …'

function fileIn(markdown: string): Matter {
  try {
    const matter = readMatter(markdown)
    const problem = problemIn(matter)
    if (!problem) return matter
    throw new BadMatter(1, problem)
  } catch (error) {
    if (!(error instanceof BadMatter)) throw error
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
