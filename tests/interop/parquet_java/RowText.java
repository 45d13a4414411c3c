import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

import org.apache.parquet.example.data.Group;
import org.apache.parquet.schema.GroupType;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.DecimalLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.IntLogicalTypeAnnotation;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.Type;

/** A row as JSON, in the form that ../row_text.py describes. */
final class RowText {
  private RowText() {}

  static String of(Group row) {
    return structText(row);
  }

  private static String structText(Group group) {
    List<String> texts = new ArrayList<>();
    for (int field = 0; field < group.getType().getFieldCount(); ++field) {
      texts.add(fieldText(group, field));
    }
    return "[" + String.join(",", texts) + "]";
  }

  private static String fieldText(Group group, int field) {
    if (group.getFieldRepetitionCount(field) == 0) {
      return "null";
    }
    Type type = group.getType().getType(field);
    if (type.isPrimitive()) {
      return primitiveText(group, field, type.asPrimitiveType());
    }
    Group inner = group.getGroup(field, 0);
    LogicalTypeAnnotation annotation = type.getLogicalTypeAnnotation();
    boolean list = LogicalTypeAnnotation.listType().equals(annotation);
    boolean map = LogicalTypeAnnotation.mapType().equals(annotation);
    return list || map ? entriesText(inner, list) : structText(inner);
  }

  /** Lists and maps of the three-level form: the repeated group holds the element, or key and value. */
  private static String entriesText(Group group, boolean list) {
    GroupType repeated = group.getType().getType(0).asGroupType();
    if (repeated.getFieldCount() != (list ? 1 : 2)) {
      throw new IllegalStateException("not of the three-level form: " + group.getType());
    }
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < group.getFieldRepetitionCount(0); ++i) {
      Group entry = group.getGroup(0, i);
      texts.add(list ? fieldText(entry, 0) : structText(entry));
    }
    return "[" + String.join(",", texts) + "]";
  }

  private static String primitiveText(Group group, int field, PrimitiveType type) {
    LogicalTypeAnnotation annotation = type.getLogicalTypeAnnotation();
    switch (type.getPrimitiveTypeName()) {
      case BOOLEAN:
        return Boolean.toString(group.getBoolean(field, 0));
      case INT32:
        return integerText(BigInteger.valueOf(group.getInteger(field, 0)), 32, annotation);
      case INT64:
        return integerText(BigInteger.valueOf(group.getLong(field, 0)), 64, annotation);
      case FLOAT:
        return String.format("\"f:%08x\"", Float.floatToRawIntBits(group.getFloat(field, 0)));
      case DOUBLE:
        return String.format("\"f:%016x\"", Double.doubleToRawLongBits(group.getDouble(field, 0)));
      case BINARY:
      case FIXED_LEN_BYTE_ARRAY:
        return bytesText(group.getBinary(field, 0).getBytes(), annotation);
      default:
        throw new IllegalStateException("unexpected type " + type);
    }
  }

  private static String integerText(BigInteger value, int bits, LogicalTypeAnnotation annotation) {
    if (annotation instanceof DecimalLogicalTypeAnnotation) {
      return decimalText(value, annotation);
    }
    boolean signed = !(annotation instanceof IntLogicalTypeAnnotation)
        || ((IntLogicalTypeAnnotation) annotation).isSigned();
    return (signed || value.signum() >= 0 ? value : value.add(BigInteger.ONE.shiftLeft(bits))).toString();
  }

  private static String bytesText(byte[] bytes, LogicalTypeAnnotation annotation) {
    if (annotation instanceof DecimalLogicalTypeAnnotation) {
      return decimalText(new BigInteger(bytes), annotation);
    }
    // As hexadecimal digits, whatever the bytes are.
    boolean text = LogicalTypeAnnotation.stringType().equals(annotation)
        || LogicalTypeAnnotation.jsonType().equals(annotation);
    return "\"" + (text ? "t:" : "x:") + HexFormat.of().formatHex(bytes) + "\"";
  }

  private static String decimalText(BigInteger unscaled, LogicalTypeAnnotation annotation) {
    int scale = ((DecimalLogicalTypeAnnotation) annotation).getScale();
    return "\"d:" + new BigDecimal(unscaled, scale).toPlainString() + "\"";
  }
}
