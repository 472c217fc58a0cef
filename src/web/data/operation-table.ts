import { operations } from './operations.ts' with { type: 'macro' }

// The bundler copies the table to wherever this constant is used.
const OPERATIONS = operations()
const partsOf = (name: string) => OPERATIONS[name]?.split('|') ?? []

/** The method and the path, relative to `/api/v1/`. */
export const routeOf = (name: string) => partsOf(name)[0]!.split(' ') as [string, string]
/** The changes that make a response stale, as `operations.ts` encodes them. */
export const dependenciesOf = (name: string) => partsOf(name)[1] ?? ''
