import { fault } from '../../../kernel/fault.ts'

export const MARKDOWN = 'text/markdown'

export const KINDS = ['board', 'playbook', 'task', 'page', 'article'] as const
export type ResourceKind = (typeof KINDS)[number]

/** The addresses of resources. The part in braces is the variable that a client fills in. */
export const TEMPLATES = {
  board: 'corkboard://boards/{key}',
  playbook: 'corkboard://boards/{key}/playbook',
  task: 'corkboard://tasks/{ticket_number}',
  page: 'corkboard://pages/{page_id}',
  article: 'corkboard://manual/{name}',
} as const satisfies Record<ResourceKind, string>

const VARIABLE = /\{(\w+)\}/

export const variableOf = (template: string): string => VARIABLE.exec(template)![1]!

export const uriOf = (kind: ResourceKind, id: string | number): string =>
  TEMPLATES[kind].replace(VARIABLE, encodeURIComponent(id))

const PATTERNS = KINDS.map((kind) => ({
  kind,
  pattern: new RegExp(`^${TEMPLATES[kind].replace(VARIABLE, '([^/?#]+)')}/?$`, 'i'),
}))

const MAX_LENGTH = 500

/** Splits an address into its kind and id. Throws a fault that names the forms there are. */
export function parseUri(uri: string): { kind: ResourceKind; id: string } {
  if (uri.length <= MAX_LENGTH)
    for (const { kind, pattern } of PATTERNS) {
      const [, id] = pattern.exec(uri) ?? []
      const decoded = id && decode(id)
      if (decoded) return { kind, id: decoded }
    }
  throw fault.invalid(
    'uri',
    'invalid_format',
    `${uri.slice(0, 100)} is no resource of Corkboard`,
    uri,
    `The forms are ${Object.values(TEMPLATES).join(', ')}`,
  )
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text).trim() || undefined
  } catch {
    return undefined
  }
}
