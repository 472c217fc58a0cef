import { useEffect, useRef } from 'react'
import { boardAt } from '../entities/board/address.ts'
import type { Me } from '../entities/user/me.ts'
import { setScreenTitle } from '../kit/title.ts'
import { t } from '../messages/t.ts'

/** Sets the tab title and moves the focus to a new screen. */
export function useScreenTitle(me: Me, path: string) {
  const title = titleOf(me, path)
  const previousPath = useRef(path)
  useEffect(() => setScreenTitle(title), [title])
  useEffect(() => {
    if (previousPath.current === path) return
    previousPath.current = path
    const main = document.getElementById('main')
    // The screen may already have focused a field of its own.
    if (!main?.contains(document.activeElement)) main?.focus({ preventScroll: true })
  }, [path])
}

function titleOf({ boards }: Me, path: string): string | undefined {
  const project_id = boardAt(path)
  if (project_id !== undefined)
    return boards.find((board) => board.project_id === project_id)?.title
  return TITLES[path.replace(/^(\/\w+)\/.*/, '$1')] ?? /^\/t\/(.+)/.exec(path)?.[1]
}

const TITLES: Record<string, string> = {
  '/agents': t('common.agents'),
  '/archive': t('shell.archive'),
  '/import': t('shell.import_tasks'),
  '/inbox': t('common.inbox'),
  '/my': t('shell.my_tasks'),
  '/new': t('shell.new_board'),
  '/reports': t('shell.reports'),
  '/search': t('shell.search'),
  '/settings': t('shell.settings'),
}
