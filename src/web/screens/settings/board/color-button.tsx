import { ColorDot, colorChoices } from '../../../entities/board/color-choices.tsx'
import { colorName } from '../../../entities/board/colors.ts'
import { PickOne } from '../../../kit/pick.tsx'
import { t } from '../../../messages/t.ts'

interface Props {
  /** The name of the column or label. */
  name: string
  color: string | null
  allowsNone?: boolean
  disabled: boolean
  onPick(color: string | null): void
}

/** A dot in the color of a column or label; it opens the list of colors. */
export function ColorButton({ name, color, allowsNone = false, disabled, onPick }: Props) {
  const shown = color ? colorName(color) : t('common.no_colour')
  return (
    <PickOne
      label={t('settings.colour_of_name', { name })}
      value={color}
      choices={colorChoices(color, allowsNone)}
      onPick={onPick}
      trigger={
        <button
          type="button"
          className="button quiet only color"
          disabled={disabled}
          aria-label={t('settings.colour_of_name_colorname', { name, colorName: shown })}
        >
          <ColorDot color={color} />
        </button>
      }
    />
  )
}
