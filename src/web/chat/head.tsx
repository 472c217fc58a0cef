import { useRef, useState } from 'react'
import { cache, useAct } from '../data/cache.ts'
import { wordsOf } from '../data/client.ts'
import { closeChat } from '../frame/asking.ts'
import { EVERYWHERE, hintOf } from '../frame/keys.ts'
import type { Me } from '../frame/places.ts'
import { complain, say } from '../frame/toasts.tsx'
import { Icon } from '../parts/icon.tsx'
import { type Deed, Menu } from '../parts/menu.tsx'
import { readThreads, remove } from './deeds.ts'
import { type Now, openNew } from './now.ts'
import { useHere } from './place.ts'
import { useAllow, useThread } from './read.ts'
import { Rename } from './rename.tsx'
import { type Thread, threadKey } from './talk.ts'

interface Props {
  me: Me
  current: Now
  /** The list of threads is shown instead of one. */
  isListed: boolean
  onList(): void
  /** Another thread is shown. */
  onNew(): void
}

/** Which conversation this is, and the way to the others. */
export function Head({ me, current, isListed, onList, onNew }: Props) {
  const here = useHere(me)
  const thread = useThread(current.talk)
  const [renaming, setRenaming] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const title = thread?.title ?? 'New chat'
  const rename = useRename(current)
  if (renaming)
    return (
      <header>
        <Rename
          title={title}
          onPut={(next) => {
            setRenaming(false)
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
          title="All your chats"
          onClick={onList}
        >
          <span className="unseen">Chats: </span>
          <span className="name" dir="auto">
            {isListed ? 'Your chats' : title}
          </span>
          <Icon name="chevron" />
        </button>
      </h2>
      <button
        type="button"
        className="button quiet only"
        onClick={() => {
          openNew(here)
          onNew()
        }}
      >
        <Icon name="plus" label="New chat" />
      </button>
      {thread && !isListed && (
        <More {...{ current }} onRename={() => setRenaming(true)} onGone={onNew} />
      )}
      <button
        type="button"
        className="button quiet only"
        title={`Close (${hintOf(EVERYWHERE.chat)})`}
        onClick={closeChat}
      >
        <Icon name="close" label="Close the chat" />
      </button>
    </header>
  )
}

interface MoreProps {
  current: Now
  onRename(): void
  onGone(): void
}

function More({ current, onRename, onGone }: MoreProps) {
  const thread = useThread(current.talk)!
  const allow = useAllow(current)
  const { thread_id, title, allow_writes } = thread
  const deeds: Deed[] = [
    { name: 'Rename', icon: 'pencil', run: onRename },
    {
      ...{ name: 'Make changes without asking', checked: allow_writes },
      run: () => allow(!allow_writes),
    },
  ]
  const away: Deed = {
    ...{ name: 'Delete', icon: 'trash', grave: true },
    run() {
      remove(thread_id, title)
      openNew(current.about)
      onGone()
    },
  }
  return (
    <Menu
      label="About this chat"
      trigger={
        <button type="button" className="button quiet only">
          <Icon name="dots" label="More about this chat" />
        </button>
      }
      groups={[deeds, [away]]}
    />
  )
}

function useRename({ talk }: Now) {
  const { act } = useAct('chat.update', {
    ahead({ thread_id, title = '' }) {
      cache.setQueryData<Thread>(threadKey(thread_id), (one) => one && { ...one, title })
      return () => void cache.invalidateQueries({ queryKey: threadKey(thread_id) })
    },
    done: readThreads,
    failed: (error) => complain(wordsOf(error)),
  })
  const thread = useThread(talk)
  return (title: string) => {
    if (!thread) return
    const { thread_id, title: before } = thread
    act(
      { thread_id, title },
      { onSuccess: () => say(`Renamed to ${title}`, () => act({ thread_id, title: before })) },
    )
  }
}
