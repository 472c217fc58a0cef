import { useSearchParams } from 'wouter'
import type { Me } from '../../entities/user/me.ts'
import { t } from '../../messages/t.ts'
import { defaultBoard } from './report-boards.ts'

export const KINDS = {
  time: t('common.time'),
  flow: t('reports.flow'),
  saved: t('reports.saved'),
} as const
export type Kind = keyof typeof KINDS

/** The state of the reports, kept in the URL so that a link shows the same report. */
export function useReportState() {
  const [query, setQuery] = useSearchParams()
  const kindParam = query.get('of') ?? ''
  const setParams = (changes: Record<string, string | undefined>) =>
    setQuery(
      (params) => {
        for (const [name, value] of Object.entries(changes))
          if (value) params.set(name, value)
          else params.delete(name)
        return params
      },
      { replace: true },
    )
  const kind: Kind = Object.hasOwn(KINDS, kindParam) ? (kindParam as Kind) : 'time'
  return { kind, query, setParams }
}

export type ReportState = ReturnType<typeof useReportState>

/** The requested board, or the user's default board. */
export function boardIn({ query }: ReportState, me: Me): number | undefined {
  const requested = Number(query.get('board'))
  return requested || defaultBoard(me)
}
