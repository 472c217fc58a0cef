import type { Person } from '../../record.ts'
import { parseDate } from '../shared/locale-dates.ts'
import type { RichText } from './issue.ts'
import { addPerson } from './people.ts'

export type Json = Record<string, unknown>

export const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const listOf = (value: unknown): Json[] =>
  Array.isArray(value) ? value.filter(isRecord) : []

export const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : ''

export const nameOf = (value: unknown): string => (isRecord(value) ? textOf(value.name) : '')

export const namesOf = (value: unknown): string[] => listOf(value).map(nameOf).filter(Boolean)

export const numberOf = (value: unknown): number => (typeof value === 'number' ? value : 0)

/** `2026-03-01T09:00:00.000+0200` as UTC. */
export const momentOf = (value: unknown): string | undefined =>
  parseDate(textOf(value).replace(/([+-]\d\d)(\d\d)$/, '$1:$2'))?.moment

/** Wiki markup, or a document of the newer API. */
export function richTextOf(value: unknown): RichText | undefined {
  if (typeof value === 'string') return value.trim() ? { wiki: value } : undefined
  return isRecord(value) ? { document: value } : undefined
}

/** The id of a person: the account of Jira Cloud, or the user name of Data Center. */
export function personIn(value: unknown, people: Map<string, Person>): string | undefined {
  if (!isRecord(value)) return undefined
  const id = textOf(value.accountId) || textOf(value.name) || textOf(value.key)
  return addPerson(people, id, textOf(value.displayName), textOf(value.emailAddress))
}

const SPRINT = /^com\.atlassian\.greenhopper\.service\.sprint\.Sprint@.*?[[,]name=(.*?),\w+=/

/** A value of a custom field in words. */
export function wordsOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(wordsOf).filter(Boolean).join(', ')
  if (typeof value === 'boolean') return value ? 'Yes' : ''
  if (!isRecord(value)) return SPRINT.exec(textOf(value))?.[1] ?? textOf(value)
  const own = ['value', 'displayName', 'name', 'title', 'key', 'text'].map((part) => value[part])
  const text = own.map(textOf).find(Boolean) ?? ''
  const child = isRecord(value.child) ? wordsOf(value.child) : ''
  return [text, child].filter(Boolean).join(' / ')
}
