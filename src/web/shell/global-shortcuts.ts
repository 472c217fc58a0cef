import { useEffect } from 'react'
import { useLocation } from 'wouter'
import { boardAt } from '../entities/board/address.ts'
import { toggleChat } from '../entities/chat/chat-request.ts'
import { useHasChat } from '../entities/chat/has-chat.ts'
import { showOverlay } from '../entities/command/overlay.ts'
import { EVERYWHERE } from '../entities/command/shortcuts.ts'
import { addRecent } from '../entities/task/recent.ts'
import type { Me } from '../entities/user/me.ts'
import { toggleTheme } from '../kit/appearance.ts'
import { useShortcuts } from '../kit/shortcuts.ts'
import { toggleSidebar } from '../kit/sidebar-width.ts'
import { undoLast } from '../kit/toasts.tsx'
import { guardFields } from './field-undo.ts'
import { useFirstSignIn } from './first-sign-in.ts'
import { requestPreview } from './preview-request.ts'

guardFields()

/** Loaded at the first input, because the first paint does not need it. */
const startLater = () =>
  void Promise.all([import('./anchoring.ts'), import('./keep-focus.ts')]).then(
    ([{ anchorScrollers }, { keepFocus }]) => {
      anchorScrollers()
      keepFocus()
    },
    () => {},
  )
for (const type of ['scroll', 'wheel', 'pointerdown', 'keydown'])
  addEventListener(type, startLater, { capture: true, once: true, passive: true })

/** The shortcuts of every screen. */
export function useGlobalShortcuts(me: Me) {
  const [path, go] = useLocation()
  const hasChat = useHasChat()
  const defaultBoard = me.profile.default_board ?? me.boards[0]?.project_id
  useShortcuts(EVERYWHERE, {
    find: () => showOverlay('find'),
    chat: () => (hasChat ? toggleChat() : false),
    // Boards and My Tasks have their own field for new tasks.
    create: () => (boardAt(path) || path === '/my' ? false : showOverlay('create')),
    undo: undoLast,
    history: () => showOverlay('history'),
    home: () => go(defaultBoard === undefined ? '/my' : `/projects/${defaultBoard}`),
    board: () => showOverlay('boards'),
    mine: () => go('/my'),
    inbox: () => go('/inbox'),
    agents: () => go('/agents'),
    reports: () => go('/reports'),
    archive: () => go('/archive'),
    // On the search screen the same key focuses its field.
    search: () => (path === '/search' ? false : go('/search')),
    settings: () => go('/settings'),
    side: toggleSidebar,
    theme: toggleTheme,
    preview: requestPreview,
    help: () => showOverlay('keys'),
  })
  useRecentBoards(me)
  useFirstSignIn(me)
}

function useRecentBoards(me: Me) {
  const [path] = useLocation()
  const project_id = boardAt(path)
  const name = me.boards.find((board) => board.project_id === project_id)?.title
  useEffect(() => {
    if (name) addRecent({ kind: 'board', id: String(project_id), name })
  }, [project_id, name])
}
