import { type TSchema, Type as t } from '@sinclair/typebox'

/** A field of a response that hosts leave out or set to null. */
export const nullable = <T extends TSchema>(type: T) => t.Optional(t.Union([type, t.Null()]))
