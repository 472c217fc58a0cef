import { Menu as Base } from '@base-ui/react/menu'
import { type Deed, MenuList } from '../parts/menu.tsx'

interface Props {
  label: string
  groups: readonly (readonly Deed[])[]
  anchor: Element
  onClose(): void
}

/** The list of a menu, beside what opened it. */
export default function MenuPopup({ onClose, ...list }: Props) {
  return (
    <Base.Root open onOpenChange={(open) => !open && onClose()}>
      <MenuList {...list} />
    </Base.Root>
  )
}
