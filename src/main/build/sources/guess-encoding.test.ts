import iconv from "iconv-lite";
import { expect, it } from "vitest";
import { findEncoding } from "./encodings.ts";
import { guessByteEncoding } from "./guess-encoding.ts";

it.each([
  ["windows-1252", "Das Päckchen kam spät, die Straße war gesperrt, schöne Grüße aus Köln."],
  ["windows-1252", "Très déçu, l’élève n’a pas reçu sa commande à Noël, même après deux mois."],
  ["windows-1252", "El niño pidió más información; la atención fue rápida y cortés, ¡gracias!"],
  ["windows-1252", "Ação rápida, não tenho reclamações, ótimo serviço até agora."],
  ["windows-1250", "Zażółć gęślą jaźń, przesyłka dotarła późno, łódka była mokra."],
  ["windows-1250", "Příliš žluťoučký kůň úpěl ďábelské ódy, zásilka přišla pozdě."],
  ["windows-1251", "Товар пришёл поздно, коробка была открыта, я очень недоволен."],
  ["windows-1251", "Доставка була швидкою, але коробка відкрита, дякую за відповідь."],
  ["koi8-r", "Товар пришёл поздно, коробка была открыта, я очень недоволен."],
  ["ibm866", "Товар пришел поздно, коробка была открыта, я очень недоволен."],
  ["windows-1253", "Η παραγγελία ήρθε αργά και το κουτί ήταν ανοιχτό, δεν είμαι ευχαριστημένος."],
  ["windows-1254", "Şikayet: ürün çok geç geldi, kutu açıktı, İstanbul’dan ığdır’a."],
  ["windows-1255", "המשלוח הגיע מאוחר והקופסה היתה פתוחה, אני לא מרוצה מהשירות."],
  ["windows-1256", "وصلت الشحنة متأخرة وكان الصندوق مفتوحا وأنا غير راض عن الخدمة."],
  ["windows-874", "สินค้ามาช้ามาก กล่องเปิดอยู่ ไม่พอใจบริการเลย"],
  ["windows-1257", "Siuntinys atėjo vėlai, dėžė buvo atidaryta, ačiū už pagalbą, šįkart viskas gerai."],
  ["cp850", "Grüße aus Köln, schöne Straße, das Päckchen kam spät."],
  ["macintosh", "Grüße aus Köln, schöne Straße, déjà vu, das Päckchen kam spät."],
  ["shift_jis", "商品がとても遅く届きました。箱が開いていて、サービスに満足していません。ありがとうございます。"],
  ["gb18030", "商品到得很晚，盒子是打开的，我对服务不满意。谢谢你们的帮助，希望下次会更好。"],
  ["euc-kr", "상품이 너무 늦게 도착했고 상자가 열려 있었습니다. 서비스에 만족하지 않습니다."],
  ["big5", "商品到得很晚，盒子是打開的，我對服務不滿意。謝謝你們的幫助，希望下次會更好。"],
] as const)("bytes of %s are known by the words that they make: %s", (encoding, text) => {
  const rows = Array.from({ length: 12 }, (_, row) => `${row};${text}\n`).join("");
  expect(guessByteEncoding(iconv.encode(`id;text\n${rows}`, encoding)).encoding).toBe(encoding);
});

it("says that a guess is in doubt where the bytes say little", () => {
  const few = guessByteEncoding(iconv.encode("id;name\n1;Größe\n", "windows-1252"));
  expect(few).toEqual({ encoding: "windows-1252", isDoubtful: true });
});

it.each([
  ["latin1", "windows-1252"],
  ["ISO-8859-1", "windows-1252"],
  ["cp1252", "windows-1252"],
  ["UTF8", "utf-8"],
  ["utf_16", "utf-16le"],
  ["IBM850", "cp850"],
  ["cp-437", "cp437"],
  ["cp866", "ibm866"],
  ["tis-620", "windows-874"],
  ["Mac Roman", "macintosh"],
  ["cp932", "shift_jis"],
  ["gbk", "gb18030"],
  ["KOI8_R", "koi8-r"],
  ["klingon", undefined],
])("%s is a name of %s", (name, encoding) => {
  expect(findEncoding(name)).toBe(encoding);
});
