import { colorChoices } from '../../../entities/board/color-choices.tsx'
import { colorName } from '../../../entities/board/colors.ts'
import type { Section } from '../../../entities/board/data.ts'
import { PickOne } from '../../../kit/pick.tsx'
import { t } from '../../../messages/t.ts'
import { saveColumn } from './columns.ts'

interface Props {
  project_id: number
  column: Section
  anchor: Element | null
  onClose(): void
}

/** The list of colors for a column. */
export default function ColorColumn({ project_id, column, anchor, onClose }: Props) {
  const { title, color } = column
  return (
    <PickOne
      label={t('board.colour_of_title', { title })}
      value={color}
      choices={colorChoices(color, true)}
      onPick={(next) => {
        onClose()
        setColor(project_id, column, next)
      }}
      open
      anchor={anchor}
      onOpen={(open) => open || onClose()}
    />
  )
}

function setColor(project_id: number, column: Section, color: string | null) {
  const { section_id, title, color: before } = column
  if (color === before) return
  const message = color
    ? t('board.set_the_colour_of_title_to_name', { title, name: colorName(color).toLowerCase() })
    : t('board.removed_the_colour_of_title', { title })
  saveColumn(
    project_id,
    section_id,
    message,
    [{ color }, { color }],
    [{ color: before }, { color: before }],
  )
}
