import { Icon } from '../parts/icon.tsx'
import type { Box } from './box.ts'
import { wordsOfOperator } from './operators.ts'
import { has, operatorsIn, turned, without } from './query.ts'

/** What is asked most, at one press. */
const QUICK = {
  'is:open': 'Open',
  'assignee:me': 'Mine',
  'is:overdue': 'Overdue',
  'due:week': 'Due within a week',
  'is:blocked': 'Blocked',
  'has:comment': 'With comments',
}
/** What a name is to follow. */
const OPEN = {
  'label:': 'Label…',
  'assignee:': 'Person…',
  'section:': 'Column…',
  'board:': 'Board…',
}

interface Props {
  box: Box
  /** Goes on in the field, where the caret is to be. */
  onType(text: string): void
}

/** Filters as buttons: each writes an operator, or takes it away. */
export function Filters({ box: { text, settle }, onType }: Props) {
  const others = operatorsIn(text).filter(
    (part) =>
      part.text && !Object.keys(QUICK).some((one) => has(text.slice(part.start, part.end), one)),
  )
  return (
    // biome-ignore lint/a11y/useSemanticElements: a row of buttons
    <div className="narrow" role="group" aria-label="Filters">
      {others.map((part) => {
        const { name, value } = wordsOfOperator(part.name, part.text)
        return (
          <button
            key={part.start}
            type="button"
            className="chip"
            onClick={() => settle(without(text, part))}
          >
            <span className="soft">{part.not ? `Not ${name.toLowerCase()}` : name}</span> {value}
            <Icon name="close" label="Remove" />
          </button>
        )
      })}
      {Object.entries(QUICK).map(([operator, name]) => (
        <button
          key={operator}
          type="button"
          className="button plain"
          aria-pressed={has(text, operator)}
          title={operator}
          onClick={() => settle(turned(text, operator))}
        >
          {name}
        </button>
      ))}
      {Object.entries(OPEN).map(([operator, name]) => (
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
