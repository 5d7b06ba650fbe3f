import type { Client } from '@slipstream/client';
import type { ResponseOf } from '@slipstream/wire';
import { useState } from 'preact/hooks';
import { count, exactMoment } from '../../figures/format.js';
import { useAction } from '../../service/action.js';
import { useRead } from '../../service/read.js';
import type { Strategy } from '../../service/records.js';
import { session } from '../../session/session.js';
import { Confirmed } from '../common/confirmed.js';
import { Failure, Form } from '../common/form.js';
import { More } from '../common/more.js';
import { Panel } from '../common/panel.js';
import { Shown } from '../common/shown.js';
import { TextField } from '../owner/text-field.js';

type Post = ResponseOf<'getTimeline'>[number];

/** How many posts are shown, and how many pages of the owner's posts are searched for them. */
const [MOST, PAGES] = [20, 5];

/** The latest posts of the owner about the strategy, and whether there may be more; their other posts are left out. */
async function postsAbout(client: Client, strategy: Strategy) {
  const found: Post[] = [];
  let cursor: string | undefined;
  let isMore = true;
  for (let page = 0; page < PAGES && isMore && found.length <= MOST; page += 1) {
    const posts = await client.getTimeline({
      user_id: strategy.user_id,
      limit: 100,
      ...(cursor !== undefined && { cursor }),
    });
    found.push(...posts.filter(({ strategy_id: about }) => about === strategy.strategy_id));
    cursor = posts.at(-1)?.post_id;
    isMore = posts.length === 100;
  }
  return { latest: found.slice(0, MOST), isMore: isMore || found.length > MOST };
}

/** What the owner writes about the strategy. */
export function PostsPanel({ strategy }: { readonly strategy: Strategy }) {
  const isOwner = session.value?.userId === strategy.user_id;
  const posts = useRead(`posts ${strategy.strategy_id}`, (client) => postsAbout(client, strategy));
  return (
    <Panel title="Posts">
      {isOwner &&
        (strategy.private ? (
          <p class="quiet">Posts are public. Make the strategy public to write about it.</p>
        ) : (
          <NewPost strategy={strategy} onWritten={posts.again} />
        ))}
      <Shown of={posts} what="the posts" height="4rem">
        {({ latest, isMore }) =>
          latest.length === 0 && !isMore ? (
            <p class="quiet">
              {isOwner
                ? 'Nothing yet. Tell your followers why you trade as you do.'
                : 'The owner has written nothing about it yet.'}
            </p>
          ) : (
            <>
              <ul class="list" aria-label="Posts">
                {latest.map((post) => (
                  <PostLine
                    key={post.post_id}
                    post={post}
                    isOwner={isOwner}
                    onChange={posts.again}
                  />
                ))}
              </ul>
              <More is={isMore} said="Older ones are not shown." />
            </>
          )
        }
      </Shown>
    </Panel>
  );
}

function NewPost(props: { readonly strategy: Strategy; readonly onWritten: () => void }) {
  const [text, setText] = useState('');
  const write = useAction(
    (client, fields: { text: string; strategy_id: string }, options) =>
      client.newPost(fields, options),
    () => {
      setText('');
      props.onWritten();
    },
  );
  return (
    <Form
      label="New post"
      onSubmit={() =>
        void write.run({ text: text.trim(), strategy_id: props.strategy.strategy_id })
      }
    >
      <TextField
        label="New post"
        rows={3}
        maxLength={2000}
        required
        value={text}
        onValue={setText}
      />
      <div class="row">
        <button class="primary" aria-disabled={write.isBusy}>
          Publish the post
        </button>
        <span class="small quiet">Everybody with an account can read it.</span>
      </div>
      <Failure of={write} />
    </Form>
  );
}

function PostLine(props: {
  readonly post: Post;
  readonly isOwner: boolean;
  readonly onChange: () => void;
}) {
  const { post, isOwner, onChange } = props;
  const like = useAction(
    (client, { post_id, likes }: { post_id: string; likes: boolean }, options) =>
      likes ? client.newLike({ post_id }, options) : client.deleteLike({ post_id }, options),
    onChange,
  );
  const remove = useAction(
    (client, post_id: string, options) => client.deletePost({ post_id }, options),
    onChange,
  );
  return (
    <li class="stack tight">
      <p class="preline">{post.text}</p>
      <div class="row ends small quiet">
        <span>{exactMoment(post.created_at)}</span>
        <span class="row">
          <button
            type="button"
            class="plain"
            aria-pressed={post.liked}
            aria-disabled={like.isBusy}
            onClick={() => void like.run({ post_id: post.post_id, likes: !post.liked })}
          >
            {post.liked ? 'Liked' : 'Like'} · {count(post.like_count)}
          </button>
          {isOwner && (
            <Confirmed
              label="Delete the post"
              confirm="Delete it"
              consequence="The post and its likes are gone for everybody."
              isBusy={remove.isBusy}
              onConfirm={() => remove.run(post.post_id)}
              isDanger
            />
          )}
        </span>
      </div>
      <Failure of={like} />
      <Failure of={remove} />
    </li>
  );
}
