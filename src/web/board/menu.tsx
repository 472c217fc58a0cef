import { cloneElement, type ReactElement, Suspense, useState } from 'react'
import { part } from '../frame/part.ts'
import type { Deed } from '../parts/menu.tsx'

const Popup = part(() => import('./menu-popup.tsx'))

interface Props {
  label: string
  groups: readonly (readonly Deed[])[]
  trigger: ReactElement<React.ComponentProps<'button'>>
}

/** As the menu of parts; what it opens with is only fetched when it is opened. */
export function Menu({ label, groups, trigger }: Props) {
  const [anchor, setAnchor] = useState<Element>()
  return (
    <>
      {cloneElement(trigger, {
        'aria-haspopup': 'menu',
        'aria-expanded': anchor !== undefined,
        ...(anchor && { 'data-popup-open': '' }),
        onClick: ({ currentTarget }) => setAnchor(anchor ? undefined : currentTarget),
        onPointerEnter: () => void import('./menu-popup.tsx').catch(() => {}),
      } as React.ComponentProps<'button'>)}
      {anchor && (
        <Suspense>
          <Popup {...{ label, groups, anchor }} onClose={() => setAnchor(undefined)} />
        </Suspense>
      )}
    </>
  )
}
