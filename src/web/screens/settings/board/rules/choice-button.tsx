import { Icon } from '../../../../kit/icon.tsx'
import { PickOne } from '../../../../kit/pick.tsx'
import type { Choice } from '../../../../kit/pick-popup.tsx'
import { t } from '../../../../messages/t.ts'

interface Props<V> {
  label: string
  value: V | undefined
  choices: readonly Choice<V>[]
  onPick(value: V): void
}

/** A word of the sentence that opens the list of its choices. */
export function ChoiceButton<V>({ label, value, choices, onPick }: Props<V>) {
  const picked = choices.find((one) => one.value === value)
  const name = picked?.name ?? t('rules.choose')
  return (
    <PickOne
      {...{ label, choices, onPick }}
      value={picked ? picked.value : null}
      trigger={
        <button
          type="button"
          className={picked ? 'button plain word' : 'button plain word unset'}
          aria-label={`${label}: ${name}`}
        >
          {picked?.mark}
          <span dir="auto">{name}</span>
          <Icon name="chevron" />
        </button>
      }
    />
  )
}
