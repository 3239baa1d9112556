# Writes the Parquet files of this folder: python3 make.py, with pyarrow 25.0.1 and duckdb 1.5.6.
import duckdb, pyarrow as pa, pyarrow.parquet as pq

def texts(n): return [f"document {i} " + "word " * (i * 7919 % 41) + "é€" for i in range(n)]
def write(name, table, **how): pq.write_table(table, name, **how)

plain = pa.table({"id": list(range(300)), "text": texts(300)})
for codec in ("none", "snappy", "gzip", "zstd"):
    write(f"text-{codec}.parquet", plain, compression=codec, row_group_size=120, use_dictionary=False, data_page_size=2048)
write("text-v2.parquet", plain, compression="snappy", data_page_version="2.0", data_page_size=2048, use_dictionary=False, write_page_index=True)
write("text-delta.parquet", plain, compression="zstd", use_dictionary=False, column_encoding={"text": "DELTA_BYTE_ARRAY", "id": "PLAIN"})
write("text-lz4.parquet", plain.slice(0, 20), compression="lz4")
write("completion.parquet", pa.table({
    "prompt": [f"Question {i}" for i in range(40)],
    "completion": [None if i % 10 == 9 else f" answer {i}" for i in range(40)],
    "truncated": [i % 4 == 0 for i in range(40)]}), compression="snappy", row_group_size=16)
chat = [None if i == 7 else [{"role": "system", "content": f"You are {i}."}] * (i % 2)
    + [{"role": "user", "content": f"Hi {i}"}, {"role": "assistant", "content": f"Ho {i}"}] * (1 + i % 3) for i in range(30)]
kind = pa.list_(pa.struct([("role", pa.string()), ("content", pa.string()), ("name", pa.string())]))
write("messages.parquet", pa.table({"source": ["a"] * 30, "messages": pa.array(chat, kind), "text": ["x"] * 30}).filter(pa.array([i != 7 for i in range(30)])), compression="zstd", row_group_size=11)
write("messages-null.parquet", pa.table({"messages": pa.array(chat, kind)}))
duckdb.sql("SET threads = 1")
duckdb.sql("""COPY (SELECT i AS id, [{'from': 'human', 'value': 'Hi ' || i}, {'from': 'gpt', 'value': 'Ho ' || i}] AS conversations
    FROM range(50) t(i)) TO 'conversations-duckdb.parquet' (FORMAT parquet, COMPRESSION snappy)""")
write("numbers.parquet", pa.table({"id": [1, 2], "url": ["a", "b"]}))
write("binary.parquet", pa.table({"text": pa.array([b"ok", b"\xff\xfe"], pa.binary())}))
write("empty.parquet", pa.table({"text": pa.array([], pa.string())}))
write("blocks.parquet", pa.table({"text": [f"{i} " + "abcdefgh" * 200 for i in range(6000)]}), compression="zstd", row_group_size=4000, data_page_size=100000)
write("hidden.parquet", pa.table({"nested": [{"text": "wrong"}], "text": ["right"]}))
