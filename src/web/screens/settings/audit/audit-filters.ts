import { useMemo } from 'react'
import { useSearchParams } from 'wouter'
import type { Input } from '../../../data/client.ts'
import { addDays } from '../../../kit/days.ts'
import { momentOf } from '../../../kit/zone.ts'
import { KINDS } from './texts.ts'

export type AuditQuery = Pick<Input<'audit.own'>, 'user_id' | 'since' | 'until' | 'query'>
export type Field = 'who' | 'kind' | 'from' | 'to'

const isDay = (text: string) => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text))
const MIDNIGHT = '00:00'

/** The filters of the log, kept in the URL. */
export function useAuditFilters() {
  const [query, setQuery] = useSearchParams()
  const read = (name: Field) => query.get(name) ?? ''
  const [person, kind, from, to] = [read('who'), read('kind'), read('from'), read('to')]
  const auditQuery = useMemo((): AuditQuery => {
    const user_id = Number(person)
    return {
      ...(user_id > 0 && { user_id }),
      ...(Object.hasOwn(KINDS, kind) && { query: kind }),
      ...(isDay(from) && { since: momentOf(from, MIDNIGHT) }),
      // The end date is inclusive.
      ...(isDay(to) && { until: momentOf(addDays(to, 1), MIDNIGHT) }),
    }
  }, [person, kind, from, to])
  return {
    ...{ person, kind, from, to, auditQuery, isNarrow: Object.keys(auditQuery).length > 0 },
    setParam: (name: Field, value: string) =>
      setQuery(
        (params) => {
          if (value) params.set(name, value)
          else params.delete(name)
          return params
        },
        { replace: true },
      ),
    clear: () => setQuery(new URLSearchParams(), { replace: true }),
  }
}
export type AuditFilters = ReturnType<typeof useAuditFilters>
