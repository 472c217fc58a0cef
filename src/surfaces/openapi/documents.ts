import { fault } from '../../kernel/fault.ts'
import { publicRefusals } from '../openapi-parts.ts'
import type { OpenApi } from './document.ts'

const NEWEST = '3.1'
const OLDER = '3.0'

/** The description of a route that returns the document. */
export const detailOf = (operationId: string, format: 'json' | 'yaml') => ({
  operationId,
  summary: `This document as ${format.toUpperCase()}`,
  tags: ['system'],
  security: [],
  parameters: [
    {
      name: 'version',
      in: 'query',
      required: false,
      description: 'Of OpenAPI; default 3.1. Generators that know only 3.0 need 3.0',
      schema: { type: 'string' as const, enum: [NEWEST, OLDER] },
    },
    {
      name: 'tags',
      in: 'query',
      required: false,
      description: 'Only operations with one of these tags',
      schema: { type: 'array' as const, items: { type: 'string' as const, maxLength: 50 } },
    },
  ],
  responses: {
    200: {
      description: 'OpenAPI',
      content: { [`application/${format}`]: { schema: { type: 'object' as const } } },
    },
    ...publicRefusals(),
  },
})

/** Returns the document in the form that a request asks for. Each is built once. */
export function documents(build: () => Promise<OpenApi>) {
  const newest = once(build)
  const older = once(async () => (await import('./version-3.0.ts')).toVersion30(await newest()))
  return async ({ url }: Request): Promise<OpenApi> => {
    const { searchParams } = new URL(url)
    const version = searchParams.get('version') ?? NEWEST
    if (version !== NEWEST && version !== OLDER)
      throw fault.invalid('version', 'out_of_range', 'version must be 3.1 or 3.0', version)
    const complete = await (version === NEWEST ? newest() : older())
    const tags = searchParams.getAll('tags').flatMap((text) => text.split(','))
    return tags.length ? (await import('./select.ts')).selectTags(complete, tags) : complete
  }
}

/** Computes a value at the first call and keeps it. A failure is not kept. */
export function once<T>(make: () => Promise<T>): () => Promise<T> {
  let value: Promise<T> | undefined
  return () => {
    value ??= make().catch((error) => {
      value = undefined
      throw error
    })
    return value
  }
}
