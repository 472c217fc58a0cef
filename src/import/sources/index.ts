import type { Source } from '../source.ts'

/** The products that can be imported, each loaded on demand, in the order in which they are tried. */
export const SOURCES: Readonly<Record<string, () => Promise<Source>>> = {}
