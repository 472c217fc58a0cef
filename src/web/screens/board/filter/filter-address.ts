import type { Filter } from '../../../entities/task/condition/filter.ts'
import { parseFilter, printFilter } from './filter-text.ts'

const FILTER_PARAM = 'filter'
/** In the address: no filter, even if the view has one. */
const NO_FILTER_VALUE = 'none'

/** Parameters of older addresses, by the operator that each of them is. */
const OLD_PARAMS: Record<string, (value: string) => string> = {
  assignee: (value) => `assignee:${value}`,
  label: (value) => `label:${value}`,
  priority: (value) => `priority:${value}`,
  size: (value) => `size:${value}`,
  due: (value) => `due:${value}`,
  is: (value) => OLD_STATES[value] ?? `is:${value}`,
}
const OLD_STATES: Record<string, string> = {
  '"free"': '-is:blocked',
  '"work"': 'is:working',
  '"red"': 'pr:red',
}
const OLD_TEXT_PARAM = 'q'
const PARAMETERS = new Set([FILTER_PARAM, OLD_TEXT_PARAM, ...Object.keys(OLD_PARAMS)])

/** The filter in the address, if there is one. Names of parameters ignore case. */
export function readFilter(address: URLSearchParams): Filter | undefined {
  const query = [...address].map(([name, value]) => [name.toLowerCase(), value] as const)
  const own = query.filter(([name]) => PARAMETERS.has(name))
  if (!own.length) return undefined
  return parseFilter(own.map(([name, value]) => operatorText(name, value)).join(' '))
}

function operatorText(name: string, value: string): string {
  if (name === FILTER_PARAM) return value === NO_FILTER_VALUE ? '' : value
  const quoted = value.split(',').flatMap((one) => (one.trim() ? `"${one.trim()}"` : []))
  if (name === OLD_TEXT_PARAM || !quoted.length) return value.trim() && `"${value.trim()}"`
  return OLD_PARAMS[name]!(quoted.join())
}

export function writeFilter(query: URLSearchParams, filter: Filter | undefined) {
  for (const name of [...query.keys()]) if (PARAMETERS.has(name.toLowerCase())) query.delete(name)
  if (filter) query.set(FILTER_PARAM, printFilter(filter) || NO_FILTER_VALUE)
}
