import { CHANNELS, type ChannelKind, asyncApi } from '@slipstream/wire';
import { type Schema, escaped, fieldTable, json } from './docs-schema.js';

interface Message {
  readonly summary: string;
  readonly payload: Schema;
  readonly examples?: readonly { readonly summary?: string; readonly payload: unknown }[];
}

const example = ({ examples = [] }: Message): string =>
  examples
    .map(
      ({ summary, payload }) =>
        `<h5>${escaped(summary ?? 'Example')}</h5><pre>${json(payload)}</pre>`,
    )
    .join('');

/** The live streams, from the AsyncAPI document. */
export function streamsSection(version: string): string {
  const document = asyncApi({ version }) as {
    readonly info: { readonly description: string };
    readonly components: { readonly messages: Readonly<Record<string, Message>> };
  };
  const { messages } = document.components;
  const frames = (
    messages['request']?.payload.oneOf ??
    messages['request']?.payload.anyOf ??
    []
  ).map((frame) => fieldTable(frame));
  const channels = (Object.keys(CHANNELS) as ChannelKind[]).map((kind) => {
    const message = messages[kind] as Message;
    const { parameter, summary, events, read } = CHANNELS[kind];
    return `<details class="operation" id="${kind}"><summary><b class="ws">WS</b> <code>${kind}:&lt;${parameter}&gt;</code> <span>${escaped(summary)}</span> <i>scope ${read}</i></summary>
<p>Events: ${[...events, 'ended'].map((event) => `<code>${event}</code>`).join(' ')}. The snapshot is what <a href="#${read}">${read}</a> reads.</p>
${fieldTable(message.payload)}${example(message)}</details>`;
  });
  return `<h2 id="streams">Live streams</h2>
<p><code>/ws</code> on this port. ${escaped(document.info.description)}</p>
<details class="operation"><summary><b class="ws">WS</b> <span>What a client sends, and what answers it</span></summary>
<h4>A client sends one of</h4>${frames.join('')}
${messages['request'] ? example(messages['request']) : ''}
<h4>Its answer</h4>${messages['answer'] ? fieldTable(messages['answer'].payload) + example(messages['answer']) : ''}</details>
${channels.join('\n')}`;
}
