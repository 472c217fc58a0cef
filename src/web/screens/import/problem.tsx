import type { ReactNode } from 'react'
import { t } from '../../messages/t.ts'
import type { Problem } from './session.ts'

/** Somebody may have scrolled to what caused it. */
const showProblem = (element: HTMLElement | null) => element?.scrollIntoView({ block: 'nearest' })

/** What is wrong, where, and what to do about it. */
export function ProblemBox({ problem, children }: { problem: Problem; children?: ReactNode }) {
  const { message, remedy, at = {} } = problem
  const { file, line, column, field } = at
  const places = [
    file,
    line !== undefined && t('import.line', { line }),
    column !== undefined && t('import.column', { column }),
    field !== undefined && t('import.field', { field }),
  ].filter((place): place is string => Boolean(place))
  return (
    <div ref={showProblem} className="problem" role="alert">
      <p className="what">{message}</p>
      {places.length > 0 && (
        <p className="where">
          {places.map((place) => (
            <code key={place}>{place}</code>
          ))}
        </p>
      )}
      {remedy && <p className="remedy">{remedy}</p>}
      {children}
    </div>
  )
}
