import { Icon } from '../../kit/icon.tsx'
import { operatorText } from './operators.ts'
import { hasToken, operatorsIn, toggleToken, withoutPart } from './query.ts'
import type { SearchBox } from './search-box.ts'

/** The most common filters, toggled with one click. */
const QUICK_FILTERS = {
  'is:open': 'Open',
  'assignee:me': 'Mine',
  'is:overdue': 'Overdue',
  'due:week': 'Due within a week',
  'is:blocked': 'Blocked',
  'has:comment': 'With comments',
}
/** Operators that need a value; a click starts typing it. */
const OPEN_OPERATORS = {
  'label:': 'Label…',
  'assignee:': 'Person…',
  'section:': 'Column…',
  'board:': 'Board…',
}

interface Props {
  box: SearchBox
  /** Puts text into the field to continue typing. */
  onType(text: string): void
}

/** Filter buttons; each adds or removes an operator in the query. */
export function Filters({ box: { text, settle }, onType }: Props) {
  const otherOperators = operatorsIn(text).filter(
    (part) =>
      part.text &&
      !Object.keys(QUICK_FILTERS).some((one) => hasToken(text.slice(part.start, part.end), one)),
  )
  return (
    // biome-ignore lint/a11y/useSemanticElements: a row of buttons
    <div className="narrow" role="group" aria-label="Filters">
      {otherOperators.map((part) => {
        const { name, value } = operatorText(part.name, part.text)
        return (
          <button
            key={part.start}
            type="button"
            className="chip"
            onClick={() => settle(withoutPart(text, part))}
          >
            <span className="soft">{part.not ? `Not ${name.toLowerCase()}` : name}</span> {value}
            <Icon name="close" label="Remove" />
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
          onClick={() => settle(toggleToken(text, operator))}
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
