import type { TSchema } from '@sinclair/typebox'
import { type AnyOperation, isWrite, toArray } from '../../kernel/operation.ts'
import { alternativesOf } from '../../kernel/respell.ts'

/** What a client may tell people about a tool: each hint holds for all of its actions. */
export function annotationsOf(operations: readonly AnyOperation[]) {
  const writes = operations.filter(isWrite)
  return {
    readOnlyHint: !writes.length,
    destructiveHint: writes.some(({ destroys }) => destroys !== undefined),
    // False is the default of the protocol, and each conversation pays for the words.
    ...(writes.every(isIdempotent) && { idempotentHint: true }),
    openWorldHint: operations.some(callsOtherHosts),
  }
}

/** By its method: PUT, PATCH and DELETE may be repeated. */
const isIdempotent = ({ on }: AnyOperation) =>
  toArray(on.rest).some((route) => /^(PUT|PATCH|DELETE) /.test(route))

/** An address in the input makes the server send requests to another host. */
const callsOtherHosts = ({ input }: AnyOperation): boolean =>
  Object.entries<TSchema>(input.properties).some(
    ([name, schema]) =>
      name === 'url' ||
      alternativesOf(schema).some(({ items }) => items?.properties?.url !== undefined),
  )
