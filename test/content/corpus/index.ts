import { code } from './code.ts'
import { edges } from './edges.ts'
import { markup } from './markup.ts'
import { writing } from './prose.ts'
import { records } from './records.ts'

export type { Sample } from './sample.ts'
/** Texts as people and agents write them. None of their visible characters may be lost. */
export const corpus = [...code, ...records, ...writing, ...markup, ...edges]
