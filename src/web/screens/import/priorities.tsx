import { PRIORITIES } from '../../entities/task/priority.tsx'
import { t } from '../../messages/t.ts'
import { changePriority } from './mapping-edits.ts'
import type { MappingProps } from './mapping-props.ts'

/** From urgent to low, then none. */
const ORDER = [1, 2, 3, 4, 0]

/** What the priorities of the source are here. Numbers are ours already. */
export function Priorities({ plan, mapping, onChange }: MappingProps) {
  const words = plan.priorities.filter(({ from }) => typeof from === 'string')
  const chosen = new Map(mapping.priorities.map(({ from, priority }) => [from, priority]))
  if (!words.length) return null
  return (
    <section className="import-section" aria-labelledby="import-priorities">
      <h2 id="import-priorities">{t('import.priorities')}</h2>
      <ul className="mapping-rows pairs">
        {words.map(({ from, tasks, known }) => (
          <li key={from}>
            <div className="from">
              <span dir="auto">{from}</span>
              <span className="soft">
                {t('import.count_tasks', { count: tasks })}
                {!known && ` · ${t('import.unknown_priority')}`}
              </span>
            </div>
            <select
              className="field"
              aria-label={t('import.priority_of_from', { from })}
              value={chosen.get(from)}
              onChange={({ target }) =>
                onChange(changePriority(mapping, from, Number(target.value)))
              }
            >
              {ORDER.map((priority) => (
                <option key={priority} value={priority}>
                  {PRIORITIES[priority]}
                </option>
              ))}
            </select>
          </li>
        ))}
      </ul>
    </section>
  )
}
