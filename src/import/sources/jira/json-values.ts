import type { Person } from '../../record.ts'
import { isObject, objectsOf, stringOf } from '../shared/json.ts'
import type { RichText } from './issue.ts'
import { addPerson } from './people.ts'

/** A custom field, as the API describes it. */
export interface FieldInfo {
  name: string
  /** The kind of field, such as `com.pyxis.greenhopper.jira:gh-sprint`. */
  kind: string
  type: string
}

export const nameOf = (value: unknown): string => (isObject(value) ? stringOf(value.name) : '')

export const namesOf = (value: unknown): string[] => objectsOf(value).map(nameOf).filter(Boolean)

/** Wiki markup, or a document of the newer API. */
export function richTextOf(value: unknown): RichText | undefined {
  if (typeof value === 'string') return value.trim() ? { wiki: value } : undefined
  return isObject(value) ? { document: value } : undefined
}

/** The id of a person: the account of Jira Cloud, or the user name of Data Center. */
export function personIn(value: unknown, people: Map<string, Person>): string | undefined {
  if (!isObject(value)) return undefined
  const id = stringOf(value.accountId) || stringOf(value.name) || stringOf(value.key)
  return addPerson(people, id, stringOf(value.displayName), stringOf(value.emailAddress))
}

const SPRINT = /^com\.atlassian\.greenhopper\.service\.sprint\.Sprint@.*?[[,]name=(.*?),\w+=/

/** A value of a custom field in words. */
export function wordsOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(wordsOf).filter(Boolean).join(', ')
  if (typeof value === 'boolean') return value ? 'Yes' : ''
  if (!isObject(value)) return SPRINT.exec(stringOf(value))?.[1] ?? stringOf(value)
  const own = ['value', 'displayName', 'name', 'title', 'key', 'text'].map((part) => value[part])
  const text = own.map(stringOf).find(Boolean) ?? ''
  const child = isObject(value.child) ? wordsOf(value.child) : ''
  return [text, child].filter(Boolean).join(' / ')
}
