import type { ReactElement } from 'react'
import { lazyComponent } from '../../kit/lazy-component.ts'
import { Opener } from '../../kit/opener.tsx'
import type { FindProps } from './find-popup.tsx'

const FindPopup = lazyComponent(() => import('./find-popup.tsx'))

/** Opens a search for a task by key or words. */
export const FindTask = ({ trigger, ...props }: FindProps & { trigger: ReactElement }) => (
  <Opener popup="listbox" preload={FindPopup.preload} trigger={trigger}>
    {(opened) => <FindPopup {...props} {...opened} />}
  </Opener>
)
