import { Icon } from '../../kit/icon.tsx'
import { t } from '../../messages/t.ts'
import { operatorText } from './operators.ts'
import { hasToken, operatorsIn, toggleToken, withoutPart } from './query.ts'
import type { SearchBox } from './search-box.ts'

/** The most common filters, toggled with one click. */
const QUICK_FILTERS = {
  'is:open': t('search.open'),
  'assignee:me': t('search.mine'),
  'is:overdue': t('common.overdue'),
  'due:week': t('search.due_within_a_week'),
  'is:blocked': t('common.blocked'),
  'has:comment': t('search.with_comments'),
}
/** Operators that need a value; a click starts typing it. */
const OPEN_OPERATORS = {
  'label:': t('search.label'),
  'assignee:': t('search.person'),
  'section:': t('search.column'),
  'board:': t('search.board'),
}

interface Props {
  box: SearchBox
  /** Puts text into the field to continue typing. */
  onType(text: string): void
}

/** Filter buttons; each adds or removes an operator in the query. */
export function Filters({ box: { text, submit }, onType }: Props) {
  const otherOperators = operatorsIn(text).filter(
    (part) =>
      part.text &&
      !Object.keys(QUICK_FILTERS).some((one) => hasToken(text.slice(part.start, part.end), one)),
  )
  return (
    // biome-ignore lint/a11y/useSemanticElements: a row of buttons
    <div className="narrow" role="group" aria-label={t('common.filters')}>
      {otherOperators.map((part) => {
        const { name, value } = operatorText(part.name, part.text)
        return (
          <button
            key={part.start}
            type="button"
            className="chip"
            onClick={() => submit(withoutPart(text, part))}
          >
            <span className="soft">
              {part.not ? t('search.not_name', { name: name.toLowerCase() }) : name}
            </span>{' '}
            {value}
            <Icon name="close" label={t('search.remove')} />
          </button>
        )
      })}
      {Object.entries(QUICK_FILTERS).map(([operator, name]) => (
        <button
          key={operator}
          type="button"
          className="button plain"
          aria-pressed={hasToken(text, operator)}
          title={operator}
          onClick={() => submit(toggleToken(text, operator))}
        >
          {name}
        </button>
      ))}
      {Object.entries(OPEN_OPERATORS).map(([operator, name]) => (
        <button
          key={operator}
          type="button"
          className="button quiet"
          onClick={() => onType(`${text.trim()} ${operator}`.trimStart())}
        >
          {name}
        </button>
      ))}
    </div>
  )
}
