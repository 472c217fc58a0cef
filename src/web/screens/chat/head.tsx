import { useRef, useState } from 'react'
import { cache, useOperationMutation } from '../../data/cache.ts'
import { closeChat } from '../../entities/chat/chat-request.ts'
import { EVERYWHERE } from '../../entities/command/shortcuts.ts'
import type { Me } from '../../entities/user/me.ts'
import { Icon } from '../../kit/icon.tsx'
import { Menu } from '../../kit/menu.tsx'
import type { MenuItem } from '../../kit/menu-popup.tsx'
import { RenameField } from '../../kit/rename-field.tsx'
import { hintOf } from '../../kit/shortcuts.ts'
import { showError, showToast } from '../../kit/toasts.tsx'
import { t } from '../../messages/t.ts'
import { deleteThread, reloadThreads } from './actions.ts'
import { threadKey } from './conversation.ts'
import { type CurrentChat, openNew } from './current-chat.ts'
import { useScreenSubject } from './subject.ts'
import { useAllowWrites, useThread } from './thread-queries.ts'
import type { Thread } from './types.ts'

interface Props {
  me: Me
  current: CurrentChat
  /** The list of threads is open. */
  isListed: boolean
  onToggleList(): void
  /** Called when another thread is shown. */
  onThreadChange(): void
}

/** The header of the chat: its title, the list of chats and the actions. */
export function ChatHeader({ me, current, isListed, onToggleList, onThreadChange }: Props) {
  const here = useScreenSubject(me)
  const thread = useThread(current.conversation)
  const [isRenaming, setIsRenaming] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const title = thread?.title ?? t('chat.new_chat')
  const rename = useRename(current)
  if (isRenaming)
    return (
      <header>
        <RenameField
          name={t('chat.chat_name')}
          maxLength={200}
          title={title}
          onFinish={(next) => {
            setIsRenaming(false)
            requestAnimationFrame(() => button.current?.focus())
            if (next) rename(next)
          }}
        />
      </header>
    )
  return (
    <header>
      <h2>
        <button
          ref={button}
          type="button"
          aria-expanded={isListed}
          title={t('chat.all_your_chats')}
          onClick={onToggleList}
        >
          <span className="unseen">{t('chat.chats')} </span>
          <span className="name truncate" dir="auto">
            {isListed ? t('chat.your_chats') : title}
          </span>
          <Icon name="chevron" />
        </button>
      </h2>
      <button
        type="button"
        className="button quiet only"
        onClick={() => {
          openNew(here)
          onThreadChange()
        }}
      >
        <Icon name="plus" label={t('chat.new_chat')} />
      </button>
      {thread && !isListed && (
        <ChatMenu {...{ current }} onRename={() => setIsRenaming(true)} onDelete={onThreadChange} />
      )}
      <button
        type="button"
        className="button quiet only"
        title={t('chat.close_hint', { hint: hintOf(EVERYWHERE.chat) })}
        onClick={closeChat}
      >
        <Icon name="close" label={t('chat.close_the_chat')} />
      </button>
    </header>
  )
}

interface ChatMenuProps {
  current: CurrentChat
  onRename(): void
  onDelete(): void
}

function ChatMenu({ current, onRename, onDelete }: ChatMenuProps) {
  const thread = useThread(current.conversation)!
  const allow = useAllowWrites(current)
  const { thread_id, title, allow_writes } = thread
  const actions: MenuItem[] = [
    { name: t('common.rename'), icon: 'pencil', run: onRename },
    {
      ...{ name: t('chat.make_changes_without_asking'), checked: allow_writes },
      run: () => allow(!allow_writes),
    },
  ]
  const deleteAction: MenuItem = {
    ...{ name: t('common.delete_name'), icon: 'trash', danger: true },
    run() {
      deleteThread(thread_id, title)
      openNew(current.about)
      onDelete()
    },
  }
  return (
    <Menu
      label={t('chat.chat_actions')}
      trigger={
        <button type="button" className="button quiet only">
          <Icon name="dots" label={t('chat.more_about_this_chat')} />
        </button>
      }
      groups={[actions, [deleteAction]]}
    />
  )
}

function useRename({ conversation }: CurrentChat) {
  const { mutate } = useOperationMutation('chat.update', {
    optimistic({ thread_id, title = '' }) {
      cache.setQueryData<Thread>(threadKey(thread_id), (one) => one && { ...one, title })
      return () => void cache.invalidateQueries({ queryKey: threadKey(thread_id) })
    },
    onDone: reloadThreads,
    onFailed: showError,
  })
  const thread = useThread(conversation)
  return (title: string) => {
    if (!thread) return
    const { thread_id, title: before } = thread
    mutate(
      { thread_id, title },
      {
        onSuccess: () =>
          showToast(t('common.renamed_to_title', { title }), () =>
            mutate({ thread_id, title: before }),
          ),
      },
    )
  }
}
